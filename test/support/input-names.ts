import { z } from 'zod'

const Schema = z.looseObject({})
const Operation = z.looseObject({
  parameters: z.array(z.looseObject({ name: z.string(), in: z.string() })).default([]),
  requestBody: Schema.optional(),
})
const Document = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.looseObject({ schemas: z.record(z.string(), Schema) }),
})

/** By endpoint: the names of all that its path, its query and its body take, however deep in there. */
export function listInputNames(text: string): [string, string[]][] {
  const { paths, components } = Document.parse(JSON.parse(text))
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { parameters, requestBody }]): [string, string[]] => {
      const inAddress = parameters.filter((each) => each.in !== 'header').map(({ name }) => name)
      return [`${method.toUpperCase()} ${path}`, [...inAddress, ...namesIn(requestBody, components.schemas)]]
    }),
  )
}

/** The properties of a schema and of those in it. */
function namesIn(value: unknown, schemas: Record<string, unknown>): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === '$ref') return namesIn(schemas[String(inner).split('/').at(-1) ?? ''], schemas)
    const own = key === 'properties' ? Object.keys(inner as object) : []
    return [...own, ...namesIn(inner, schemas)]
  })
}
