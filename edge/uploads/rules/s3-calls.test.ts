import { describe, expect, test } from 'vitest'
import { readS3Call, type S3CallRequest } from './s3-calls.ts'

const DECLARED = { filename: 'a.mp4', content_type: 'video/mp4', size_bytes: 7 }
const OPEN = { key: 'uploads/x/a.mp4', upload_id: 'u' }

describe('an S3 call', () => {
  test.each<[S3CallRequest, object]>([
    [
      { method: 'PUT', ...DECLARED },
      { call: 'put', ...DECLARED },
    ],
    [
      { method: 'POST', key: 'proposed', ...DECLARED },
      { call: 'create', ...DECLARED },
    ],
    [
      { method: 'POST', ...DECLARED, part_size: 9 },
      { call: 'create', ...DECLARED, part_size: 9 },
    ],
    [
      { method: 'PUT', ...OPEN, part_number: 3 },
      { call: 'part', ...OPEN, part_number: 3 },
    ],
    [
      { method: 'GET', ...OPEN },
      { call: 'list', ...OPEN },
    ],
    [
      { method: 'POST', ...OPEN, ...DECLARED },
      { call: 'complete', ...OPEN },
    ],
    [
      { method: 'DELETE', ...OPEN },
      { call: 'abort', ...OPEN },
    ],
  ])('is read from %j', (request, call) => {
    expect(readS3Call(request)).toEqual(call)
  })

  test.each<[S3CallRequest, string, string]>([
    [{ method: 'PUT' }, 'filename', 'declaration_missing'],
    [{ method: 'POST', filename: 'a.mp4', size_bytes: 7 }, 'filename', 'declaration_missing'],
    [{ method: 'PUT', ...DECLARED, part_number: 1 }, 'part_number', 'misplaced_part_number'],
    [{ method: 'GET', key: 'x' }, 'upload_id', 'upload_id_missing'],
    [{ method: 'DELETE', key: 'x' }, 'upload_id', 'upload_id_missing'],
    [{ method: 'GET', upload_id: 'u' }, 'key', 'upload_key_missing'],
    [{ method: 'PUT', ...OPEN }, 'part_number', 'misplaced_part_number'],
    [{ method: 'GET', ...OPEN, part_number: 1 }, 'part_number', 'misplaced_part_number'],
  ])('is refused for %j', (request, field, fault) => {
    expect(readS3Call(request)).toEqual({ field, fault })
  })
})
