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

/** Lists each endpoint's input names, from its path, query, and body, at any depth. */
export function listInputNames(text: string): [string, string[]][] {
  const { paths, components } = Document.parse(JSON.parse(text))
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { parameters, requestBody }]): [string, string[]] => {
      const inAddress = parameters.filter((each) => each.in !== 'header').map(({ name }) => name)
      return [`${method.toUpperCase()} ${path}`, [...inAddress, ...namesIn(requestBody, components.schemas)]]
    }),
  )
}

/** Lists a schema's property names at any depth. */
function namesIn(value: unknown, schemas: Record<string, unknown>): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === '$ref') return namesIn(schemas[String(inner).split('/').at(-1) ?? ''], schemas)
    const own = key === 'properties' ? Object.keys(inner as object) : []
    return [...own, ...namesIn(inner, schemas)]
  })
}
