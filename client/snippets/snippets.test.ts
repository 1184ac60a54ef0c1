import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { commandSnippet, curlSnippet, jobBody, type SnippetCall, typescriptSnippet } from './index.ts'

const WATERMARK: SnippetCall = {
  apiUrl: 'https://media.example.com',
  service_slug: 'image',
  operation_key: 'web_optimize',
  params: { text: 'it\'s "mine"\n2', quality: 80, strip: false, 'odd-name': [1, { a: true }] },
  input: 'my photo.jpg',
  takesLink: false,
}
const LINK: SnippetCall = {
  apiUrl: 'https://media.example.com',
  service_slug: 'video',
  operation_key: 'link_info',
  params: {},
  input: "https://example.org/watch?v=1&t='2'",
  takesLink: true,
}

/** Returns the arguments that a shell passes on. */
function argumentsOf(code: string): string[] {
  const script = `${code.replace(/^\w+ /, 'set -- ')}\nprintf '%s\\0' "$@"`
  return execFileSync('sh', ['-c', script], { env: { MEDIA_API_KEY: 'key' }, encoding: 'utf8' })
    .split('\0')
    .slice(0, -1)
}

test('curl sends a file as a form', () => {
  const args = argumentsOf(curlSnippet(WATERMARK))
  expect(args[2]).toBe('https://media.example.com/api/v1/jobs/upload')
  expect(args).toContain('X-Api-Key: key')
  expect(args).toContain(`params=${JSON.stringify(WATERMARK.params)}`)
  expect(args.at(-1)).toBe('file=@my photo.jpg')
})

test('curl sends a link as JSON', () => {
  const args = argumentsOf(curlSnippet(LINK, { idempotencyKey: 'first' }))
  expect(args[2]).toBe('https://media.example.com/api/v1/jobs/api')
  expect(args).toContain('Idempotency-Key: first')
  expect(JSON.parse(args.at(-1) ?? '')).toEqual(jobBody(LINK))
})

test('the command has an option for each parameter, and JSON for the others', () => {
  const args = argumentsOf(commandSnippet(WATERMARK, ['text', 'quality', 'strip']))
  expect(args).toEqual([
    ...[
      'image',
      'web-optimize',
      'my photo.jpg',
      '--text',
      'it\'s "mine"\n2',
      '--quality',
      '80',
      '--no-strip',
    ],
    ...['--params', '{"odd-name":[1,{"a":true}]}', '-o', 'out/'],
  ])
})

test('the command of a link operation is in the group of links', () => {
  expect(argumentsOf(commandSnippet(LINK, []))).toEqual(['links', 'info', LINK.input, '-o', 'out/'])
})

test('TypeScript contains the same values', () => {
  const code = typescriptSnippet(WATERMARK)
  const call = code.match(/await media\.image\.webOptimize\((.*)\)$/m)?.[1]
  expect(new Function(`return [${call}]`)()).toEqual([WATERMARK.input, WATERMARK.params])
  expect(typescriptSnippet(LINK)).toContain('media.links.info(')
})

test('the body names the file by a URL', () => {
  expect(jobBody({ ...WATERMARK, input: 'photo.jpg', params: { quality: 80 } })).toEqual({
    service_slug: 'image',
    operation_key: 'web_optimize',
    params: { file_url: 'https://example.org/photo.jpg', quality: 80 },
  })
})
