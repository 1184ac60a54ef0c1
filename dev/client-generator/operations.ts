import { camelCase } from '../../client/src/camel-case.ts'
import { OPERATIONS } from '../../shared/operations/index.ts'
import type { Operation } from '../../shared/planning/operation.ts'
import { type ApiDocument, type Schema, typeName } from './document.ts'
import type { NamedSchema } from './types.ts'

type Group = 'video' | 'image' | 'links'

/** Returns the group of an operation and the name of its method, in camel case: `links.info` for video/link_info. */
export function placeOf({ service, key, accepts }: Operation): { group: Group; method: string } {
  const is_link = accepts.includes('link')
  const name = is_link ? key.replace(/^link_/, '') : key
  return {
    group: is_link ? 'links' : service,
    method: camelCase(name),
  }
}

/** Writes the list of all operations, and the types of the methods that run them and of `jobs.submit`. */
export function operationsFile(document: ApiDocument): { text: string; schemas: NamedSchema[] } {
  const params = OPERATIONS.flatMap((operation) => [
    `${fullName(operation)}Params`,
    `${fullName(operation)}ResultBody`,
  ])
  const files = (['video', 'image'] as const).map((service) => fileParams(document, service))
  const groups = Map.groupBy(OPERATIONS, (operation) => placeOf(operation).group)
  const interfaces = [...groups].map(([group, operations]) => {
    const methods = operations.map((operation) => `  ${methodType(operation, document)}`)
    return `/** Operations of \`media.${group}\`, each of which runs one job to its result. */\nexport interface ${typeName(group)}Operations {\n${methods.join('\n')}\n}\n`
  })
  const submissions = OPERATIONS.map((operation) => `  | ${submissionType(operation, document)}`)
  const rows = [...groups].map(
    ([group, operations]) => `  ${group}: '${operations.map(({ key }) => key).join(' ')}',`,
  )
  const names = [...params, ...files.map(([name]) => name)].sort()
  const text = [
    '// Generated from the OpenAPI document.',
    "import type { Input, RunOptions } from '../src/options.ts'",
    "import type { MediaResult } from '../src/result.ts'",
    `import type { ${names.join(', ')} } from './types.ts'`,
    '',
    interfaces.join('\n'),
    '/** A job to submit: an operation with its input and parameters. */',
    `export type Submission =\n${submissions.join('\n')}`,
    '',
    '/** The keys of all operations, by group. */',
    `export const OPERATIONS = {\n${rows.join('\n')}\n} as const`,
    '',
  ].join('\n')
  return { text, schemas: [...params.map((name) => [name, document.schemas[name] ?? {}] as const), ...files] }
}

function fullName({ service, key }: Operation): string {
  return typeName(`${service}_${key}`)
}

function methodType(operation: Operation, document: ApiDocument): string {
  const { method } = placeOf(operation)
  const input = operation.accepts.includes('link') ? 'url: string | URL' : 'input: Input'
  const optional = needsParams(operation, document) ? '' : '?'
  const parameters = `${input}, params${optional}: ${paramsType(operation)}, options?: RunOptions`
  const result = `MediaResult<${fullName(operation)}ResultBody>`
  return `/** ${operation.description} */\n  ${method}(${parameters}): Promise<${result}>`
}

function submissionType(operation: Operation, document: ApiDocument): string {
  const { service, key, accepts } = operation
  const input = accepts.includes('link') ? 'url: string | URL' : 'file: Input'
  const optional = needsParams(operation, document) ? '' : '?'
  return `{ service: '${service}'; operation: '${key}'; ${input}; params${optional}: ${paramsType(operation)} }`
}

/** Returns the type of the params. The input is a separate argument, so it is not part of the params. */
function paramsType(operation: Operation): string {
  const own = `${fullName(operation)}Params`
  if (operation.accepts.includes('link')) return `Omit<${own}, 'url'>`
  return `${own} & ${typeName(operation.service)}FileParams`
}

function needsParams(operation: Operation, { schemas }: ApiDocument): boolean {
  const { required = [] } = (schemas[`${fullName(operation)}Params`] ?? {}) as { required?: string[] }
  return required.some((name) => !(name === 'url' && operation.accepts.includes('link')))
}

/** Returns the schema of the parameters that all file operations of a service share, without the input. */
function fileParams({ schemas }: ApiDocument, service: 'video' | 'image'): NamedSchema {
  const name = `${typeName(service)}FileParams`
  const job = schemas[`${typeName(`${service}_resize`)}Job`] as {
    properties: { params: { allOf: Schema[] } }
  }
  const envelope = job.properties.params.allOf.find(({ properties }) => properties !== undefined)
  if (envelope === undefined) throw new Error(`The jobs of the ${service} service have no input.`)
  const { file_url: _, ...properties } = envelope.properties as Record<string, Schema>
  return [name, { type: 'object', properties }]
}
