import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { parseEnvironment } from './environment.ts'
import { measureResult } from './measure.ts'

const environment = parseEnvironment({
  ...{ EDGE_URL: 'http://127.0.0.1', FLEET_KEYS: 'YWFh', S3_ENDPOINT: 'http://127.0.0.1' },
  ...{ S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' },
})

test.each([
  ['stripped.jpg', 'jpeg'],
  ['stripped.tif', 'tiff'],
  ['stripped.webp', 'webp'],
])('the format of %s is told as %s', async (file, format) => {
  const run = { folder: tmpdir(), environment, signal: new AbortController().signal }
  const size = { width: 4, height: 3 }
  const body = await measureResult(
    { encode_mode: null, steps: [], outputs: [{ file }] },
    new Map([[file, size]]),
    run,
  )
  expect(body).toEqual({ ...size, format })
})
