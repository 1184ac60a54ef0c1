import { expect, test } from 'vitest'
import { Media } from './media.ts'

test('a submission has the headers for its file', async () => {
  const bodies: unknown[] = []
  const media = new Media({
    apiUrl: 'https://media.example.com',
    apiKey: 'mk_test',
    fetch: async (input, init) => {
      bodies.push(await new Request(input, init).json())
      return Response.json({ id: 'job' }, { status: 201 })
    },
  })
  const headers = { Authorization: 'Bearer 4f7c0e' }
  const file = 'https://cdn.example.org/beach.jpg'
  const submission = { service: 'image', operation: 'resize', file, params: { width: 32 } } as const
  await media.jobs.submit(submission, { headers })
  await media.jobs.submit(submission)
  const body = { service_slug: 'image', operation_key: 'resize', params: { width: 32, file_url: file } }
  expect(bodies).toEqual([{ ...body, headers }, body])
})
