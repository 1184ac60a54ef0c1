/** Parameter of an operation, as exposed by the command line. */
export interface CatalogField {
  /** Name of the parameter, in snake case. */
  name: string
  type: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object' | 'json'
  /** Type of the entries of an array. */
  item?: CatalogField['type']
  choices?: readonly (string | number)[]
  description?: string
  default?: unknown
  min?: number
  max?: number
  required?: boolean
}

/** Operation, as exposed by the command line. */
export interface CatalogEntry {
  service: 'video' | 'image'
  key: string
  group: 'video' | 'image' | 'links'
  /** Name of the command: `media image strip-meta`. */
  command: string
  title: string
  description: string
  credits: number
  fields: readonly CatalogField[]
}
