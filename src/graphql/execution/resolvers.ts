import { type GraphQLAbstractType, type GraphQLObjectType, type GraphQLResolveInfo, isObjectType } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import { getMetadataStorage } from 'type-graphql';

/** A resolver that is the property of this name. */
export interface PropertyResolver {
  kind: 'property';
  name: string;
}

/** A resolver that is a method, called without the library's wrapper, and whether it takes more than the parent. */
export interface MethodResolver {
  kind: 'method';
  takesContext: boolean;
  takesInfo: boolean;
  call(source: unknown, context: unknown, info: GraphQLResolveInfo | null): unknown;
}

export type DirectResolver = PropertyResolver | MethodResolver;

/** Name of the type of a value, or anything else where the wrapped function must decide. */
type TypeOf = (value: unknown, context: unknown, info: GraphQLResolveInfo, type: GraphQLAbstractType) => unknown;

type Metadata = ReturnType<typeof getMetadataStorage>;
type FieldMetadata = Metadata['fields'][number];
type ResolverMetadata = Metadata['fieldResolvers'][number];
type ParameterMetadata = NonNullable<ResolverMetadata['params']>[number];

/**
 * What the decorators declare of the resolvers that need no wrapper: fields that are a property, methods that take the
 * parent, the context or `info` and have no arguments and no middleware, and functions that name the type of a value.
 * Every other field keeps the resolver that the library made.
 */
export class DirectResolvers {
  private readonly fields = new Map<string, ReadonlyMap<string, DirectResolver>>();
  private readonly typesOf = new Map<string, TypeOf>();
  private readonly instances = new Map<unknown, unknown>();
  /** The declarations of resolvers by the name of their method: of the hundreds there are, few share one. */
  private readonly declaredByName = new Map<string, ResolverMetadata[]>();

  constructor(schema: GraphQLSchema, resolverClasses: readonly unknown[]) {
    const metadata = getMetadataStorage();
    for (const each of metadata.fieldResolvers) {
      if (each.kind === 'external' && !resolverClasses.includes(each.target)) continue;
      const ofName = this.declaredByName.get(each.methodName);
      if (ofName) ofName.push(each);
      else this.declaredByName.set(each.methodName, [each]);
    }
    for (const each of metadata.objectTypes) {
      const type = schema.getType(each.name);
      if (isObjectType(type)) this.fields.set(type.name, this.fieldsOf(type, each, metadata));
    }
    for (const each of [...metadata.unions, ...metadata.interfaceTypes])
      if (each.resolveType) this.typesOf.set(each.name, each.resolveType as TypeOf);
  }

  /** The direct resolver of a field; undefined if it has to be resolved as the schema says. */
  field(type: GraphQLObjectType, name: string): DirectResolver | undefined {
    return this.fields.get(type.name)?.get(name);
  }

  /** The function of a union or interface that was declared to tell the types of its values apart. */
  typeOf(type: GraphQLAbstractType): TypeOf | undefined {
    return this.typesOf.get(type.name);
  }

  private fieldsOf(
    type: GraphQLObjectType,
    declared: Metadata['objectTypes'][number],
    metadata: Metadata,
  ): ReadonlyMap<string, DirectResolver> {
    // Fields of base classes are resolved as the schema says: this declaration is the last one for those that it has
    // itself.
    const inherited = metadata.interfaceTypes
      .filter(({ target }) => declared.interfaceClasses?.includes(target))
      .flatMap(({ fields }) => fields ?? []);
    const direct = new Map<string, DirectResolver>();
    for (const field of [...inherited, ...(declared.fields ?? [])]) {
      const resolver = this.directOf(field);
      if (resolver && (resolver.kind === 'method' || isProperty(type, field))) direct.set(field.schemaName, resolver);
      else direct.delete(field.schemaName);
    }
    return direct;
  }

  private directOf(field: FieldMetadata): DirectResolver | undefined {
    const declared = this.declaredByName.get(field.name)?.find((each) => each.getObjectType?.() === field.target);
    const { roles, middlewares = [], params = [] } = declared ?? field;
    if (roles || middlewares.length > 0) return undefined;
    if (!declared) return field.simple === undefined ? { kind: 'property', name: field.name } : undefined;
    return declared.kind === 'external' ? this.method(declared, params) : undefined;
  }

  private method({ target, methodName }: ResolverMetadata, params: ParameterMetadata[]): MethodResolver | undefined {
    const kinds = [...params].sort((a, b) => a.index - b.index);
    if (!kinds.every((each, index) => each.index === index && isPlain(each))) return undefined;
    const instance = this.instance(target) as Record<string, (...values: unknown[]) => unknown>;
    if (typeof instance[methodName] !== 'function') return undefined;
    const order = kinds.map(({ kind }) => kind).join(' ');
    const takes = { takesContext: order.includes('context'), takesInfo: order.includes('info') };
    // Looked up at the call, as the wrapper does.
    switch (order) {
      case '':
        return { kind: 'method', ...takes, call: () => instance[methodName]?.() };
      case 'root':
        return { kind: 'method', ...takes, call: (source) => instance[methodName]?.(source) };
      case 'root context':
        return { kind: 'method', ...takes, call: (source, context) => instance[methodName]?.(source, context) };
      case 'root info':
        return { kind: 'method', ...takes, call: (source, _context, info) => instance[methodName]?.(source, info) };
      case 'root context info':
        return {
          kind: 'method',
          ...takes,
          call: (source, context, info) => instance[methodName]?.(source, context, info),
        };
      default:
        return undefined;
    }
  }

  private instance(target: unknown): unknown {
    if (!this.instances.has(target)) this.instances.set(target, new (target as new () => unknown)());
    return this.instances.get(target);
  }
}

/** A parameter that is handed on as it is; the wrapper would convert the parent to a class that is declared for it. */
function isPlain(parameter: ParameterMetadata): boolean {
  if (parameter.kind === 'info') return true;
  if (parameter.kind !== 'root' && parameter.kind !== 'context') return false;
  if (parameter.propertyName !== undefined) return false;
  return parameter.kind === 'context' || !parameter.getType || parameter.getType() === Object;
}

/** Whether the field's resolver in the schema reads this one property of the parent and returns it. */
function isProperty(type: GraphQLObjectType, { schemaName, name }: FieldMetadata): boolean {
  const resolve = type.getFields()[schemaName]?.resolve;
  if (!resolve) return false;
  const value = {};
  const read: unknown[] = [];
  const source = new Proxy({}, { get: (_target, key) => (read.push(key), value) });
  try {
    const result: unknown = resolve(source, {}, {}, {} as GraphQLResolveInfo);
    return result === value && read.length === 1 && read[0] === name;
  } catch {
    return false;
  }
}
