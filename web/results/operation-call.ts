import type { SnippetCall } from '../../client/snippets/index.ts'
import type { Tool } from '../studio/tools.ts'
import type { Operation } from '../studio/workspace/items.ts'

const EXAMPLE_LINK = 'https://example.org/watch?v=1'

/** Describes an operation for the snippets: a placeholder for the file, or the link of the job. */
export function operationCall(operation: Operation, tool: Tool, apiUrl: string): SnippetCall {
  const { service_slug, operation_key } = operation
  const { file_url: _, url, ...params } = operation.params
  const takesLink = tool.accepts.includes('link')
  const file = tool.accepts.includes('image') ? 'photo.jpg' : 'clip.mp4'
  const link = typeof url === 'string' ? url : EXAMPLE_LINK
  return { apiUrl, service_slug, operation_key, params, input: takesLink ? link : file, takesLink }
}
