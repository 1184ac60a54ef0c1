/** Known values by field name, or by endpoint and field name. */
export type Resources = Record<string, readonly unknown[] | undefined>
