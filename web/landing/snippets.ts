import {
  commandSnippet,
  curlSnippet,
  type SnippetCall,
  typescriptSnippet,
} from '../../client/snippets/index.ts'

/** The job that all snippets run, on the service at an origin. */
const callTo = (apiUrl: string): SnippetCall => ({
  apiUrl,
  service_slug: 'image',
  operation_key: 'resize',
  params: { width: 800 },
  input: 'photo.jpg',
  takesLink: false,
})

/** The same job in three languages, for the service at an origin. */
export const SNIPPETS = {
  curl: (origin: string) => curlSnippet(callTo(origin)),
  typescript: (origin: string) => typescriptSnippet(callTo(origin)),
  command: (origin: string) => `export MEDIA_API_URL=${origin}\n${commandSnippet(callTo(origin), ['width'])}`,
}

export type SnippetName = keyof typeof SNIPPETS
