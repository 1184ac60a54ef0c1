import { expect, test } from 'vitest'
import { putStream } from './put-stream.ts'

/** A failing bucket that accepts parts but can neither complete nor abort an upload. */
const BROKEN = {
  createMultipartUpload: async () => ({
    uploadPart: async (partNumber: number) => ({ partNumber, etag: 'x' }),
    complete: async () => Promise.reject(new Error('not completed')),
    abort: async () => Promise.reject(new Error('not aborted')),
  }),
} as unknown as R2Bucket

async function* chunks(count: number, end: () => void = () => undefined) {
  for (let index = 0; index < count; index++) yield new Uint8Array(1024 * 1024)
  end()
}

test('a failed upload reports its cause even when storage cannot abort it', async () => {
  const refuse = () => {
    throw new Error('the file is too large')
  }
  await expect(putStream(BROKEN, 'k', chunks(12, refuse), 'video/mp4')).rejects.toThrow('too large')
  await expect(putStream(BROKEN, 'k', chunks(12), 'video/mp4')).rejects.toThrow('not completed')
})
