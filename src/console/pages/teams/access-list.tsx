import type { ReactNode } from 'react';
import type { GraphQLTaggedNode } from 'relay-runtime';
import { texts } from '../../texts/texts';
import { ConfirmButton } from '../../ui/confirm-button';
import { type Choice, SelectField } from '../../ui/field';
import { More, type Pagination } from '../../ui/more';
import { type Column, Table } from '../../ui/page';
import { Section } from '../../ui/section';

/** Somebody or something of a team, with what they may do in it or with it. */
export interface Access {
  id: string;
  name: string;
  level: string;
  mayChange: boolean;
  mayRemove: boolean;
}

interface Removal {
  variables: { input: { id: string } };
  response: Record<string, unknown>;
}

/** One list of a team: who or what is in it, at which level, and how it is added, changed and removed. */
export function AccessList<Item extends Access>(props: {
  title: string;
  empty: string;
  items: readonly Item[];
  more: Pagination;
  columns: Column<Item>[];
  levels: Choice[];
  levelTitle: string;
  setLevel: (item: Item, level: string) => void;
  /** What the button to add says; null where the viewer may not. */
  add: string | null;
  openDialog: () => void;
  removal: GraphQLTaggedNode;
  refetch: () => void;
  children: ReactNode;
}) {
  const { title, levels, levelTitle } = props;
  return (
    <Section
      title={title}
      actions={
        props.add && (
          <button type="button" className="button" onClick={props.openDialog}>
            {props.add}
          </button>
        )
      }
    >
      <Table
        label={title}
        items={props.items}
        keyOf={({ id }) => id}
        empty={props.empty}
        columns={[
          ...props.columns,
          {
            title: levelTitle,
            cell: (item) =>
              item.mayChange ? (
                <SelectField
                  label={`${levelTitle}: ${item.name}`}
                  hideLabel
                  value={item.level}
                  choices={levels}
                  onChange={(level) => props.setLevel(item, level)}
                />
              ) : (
                levels.find(({ value }) => value === item.level)?.label
              ),
          },
          {
            title: texts.common.actions,
            cell: (item) =>
              item.mayRemove && (
                <ConfirmButton<Removal>
                  label={texts.common.remove}
                  question={texts.common.removeQuestion(item.name)}
                  mutation={props.removal}
                  input={{ id: item.id }}
                  done={props.refetch}
                />
              ),
          },
        ]}
      />
      <More {...props.more} />
      {props.children}
    </Section>
  );
}
