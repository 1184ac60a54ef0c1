/** A job as a snippet shows it: an operation with its parameters, on one input. */
export interface SnippetCall {
  apiUrl: string
  service_slug: string
  operation_key: string
  /** Parameters without the input. */
  params: Readonly<Record<string, unknown>>
  /** Name of a file, or the link of an operation that takes links. */
  input: string
  takesLink: boolean
}

/** Returns the body of `POST /api/v1/jobs`. Files are named by a URL that the service can import. */
export function jobBody({ service_slug, operation_key, params, input, takesLink }: SnippetCall) {
  const source = takesLink ? { url: input } : { file_url: `https://example.org/${input}` }
  return { service_slug, operation_key, params: { ...source, ...params } }
}

/** Returns the group of the client's methods and commands, and the name of the operation within it. */
export function placeOfCall({ service_slug, operation_key, takesLink }: SnippetCall) {
  return takesLink
    ? { group: 'links', name: operation_key.replace(/^link_/, '') }
    : { group: service_slug, name: operation_key }
}

/** Quotes a text as one argument of a POSIX shell. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

export function quoteWhereNeeded(text: string): string {
  return /^[\w.:/-]+$/.test(text) ? text : quoteForShell(text)
}
