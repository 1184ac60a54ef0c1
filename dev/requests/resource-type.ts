/** By the name of a field, or by that of an endpoint and a field: what may stand there. */
export type Resources = Record<string, readonly unknown[] | undefined>
