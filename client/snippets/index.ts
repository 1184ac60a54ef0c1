export { commandSnippet } from './command-snippet.ts'
export { curlSnippet } from './curl-snippet.ts'
export { jobBody, type SnippetCall } from './snippet-call.ts'
export { typescriptSnippet } from './typescript-snippet.ts'
