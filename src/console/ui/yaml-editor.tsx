import { autocompletion, completionKeymap, type CompletionContext } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, HighlightStyle, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, linter, lintGutter, lintKeymap } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';
import './yaml-editor.css';

/** A problem of the text, at line and column from 1. */
export interface TextProblem {
  readonly line: number;
  readonly column: number;
  readonly path: string;
  readonly message: string;
}

const attributes = (
  'agents allow_dependency_failure artifact_paths block branches command commands concurrency concurrency_group ' +
  'concurrency_method depends_on env fields group if input key label matrix parallelism plugins priority retry skip ' +
  'soft_fail steps timeout_in_minutes trigger wait'
).split(' ');

function completeAttributes(context: CompletionContext) {
  const word = context.matchBefore(/^\s*(?:- )?[a-z_]*$/);
  if (!word || (word.from === word.to && !context.explicit)) return null;
  const typed = /[a-z_]*$/.exec(word.text)?.[0] ?? '';
  return {
    from: word.to - typed.length,
    options: attributes.map((label) => ({ label, type: 'property', apply: `${label}: ` })),
  };
}

const look = EditorView.theme({
  '&': { backgroundColor: 'var(--surface)', color: 'var(--ink)', fontSize: '13px', minHeight: '16rem' },
  '.cm-scroller': { fontFamily: 'var(--mono)', minHeight: '16rem' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'var(--sunken)', color: 'var(--ink-3)', border: '0' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--brand-soft) 45%, transparent)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'var(--brand-soft)' },
  // The library draws these as images in data: addresses, which the content security policy forbids.
  '.cm-lint-marker-error': { content: '"●"', color: 'var(--failed)' },
  '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--failed)' },
  '.cm-tooltip': { backgroundColor: 'var(--surface)', color: 'var(--ink)', border: '1px solid var(--line-strong)' },
});

const colors = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--link)' },
  { tag: [tags.string, tags.content], color: 'var(--ink)' },
  { tag: [tags.number, tags.bool, tags.keyword], color: 'var(--blocked)' },
  { tag: tags.comment, color: 'var(--ink-3)', fontStyle: 'italic' },
]);

function diagnosticsOf(problems: readonly TextProblem[], view: EditorView): Diagnostic[] {
  return problems.map(({ line, column, path, message }) => {
    const at = view.state.doc.line(Math.min(Math.max(1, line), view.state.doc.lines));
    const from = Math.min(at.from + column - 1, at.to);
    return { from, to: at.to, severity: 'error', message: path ? `${path}: ${message}` : message };
  });
}

/**
 * An editor for YAML. `check` is asked a moment after typing. It lives in a shadow root, where CodeMirror puts its
 * styles into constructed style sheets: in the document it would insert a <style>, which the content security policy
 * forbids. The Tab key indents; Escape and then Tab leaves.
 */
export function YamlEditor(props: {
  value: string;
  label: string;
  onChange: (value: string) => void;
  check: (text: string) => Promise<readonly TextProblem[]>;
}) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView | null>(null);
  // Texts told to the page that it has not drawn yet, the oldest first.
  const reports = useRef<string[]>([]);
  const previous = useRef(props.value);
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    const view = new EditorView({
      parent: root as unknown as Element,
      root,
      state: EditorState.create({
        doc: latest.current.value,
        extensions: [
          lineNumbers(),
          history(),
          drawSelection(),
          highlightActiveLine(),
          // A scrolled line cannot be reached on a phone, nor by keyboard alone.
          EditorView.lineWrapping,
          bracketMatching(),
          indentUnit.of('  '),
          yaml(),
          syntaxHighlighting(colors),
          look,
          lintGutter(),
          autocompletion({ override: [completeAttributes] }),
          linter(async (editor) => diagnosticsOf(await latest.current.check(editor.state.doc.toString()), editor), {
            delay: 500,
          }),
          keymap.of([...completionKeymap, ...lintKeymap, indentWithTab, ...historyKeymap, ...defaultKeymap]),
          EditorView.contentAttributes.of({ 'aria-label': latest.current.label }),
          EditorView.updateListener.of((update) => {
            if (!update.docChanged) return;
            const text = update.state.doc.toString();
            reports.current.push(text);
            latest.current.onChange(text);
          }),
        ],
      }),
    });
    editor.current = view;
    return () => view.destroy();
  }, []);
  // What is chosen elsewhere is a change of the text like any other: it can be undone. What the page draws late is what
  // was typed a moment ago, and replaces nothing that was typed since.
  useEffect(() => {
    const echo = reports.current.lastIndexOf(props.value);
    reports.current.splice(0, echo + 1);
    const before = previous.current;
    previous.current = props.value;
    const view = editor.current;
    if (!view || echo !== -1 || props.value === before) return;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: props.value } });
    reports.current = [];
  });
  return <div ref={host} className="yaml-editor" />;
}
