import { expect, test } from 'vitest'
import { findOperation, OPERATIONS } from '../../../shared/operations/index.ts'
import type { ServiceSlug } from '../../../shared/planning/operation.ts'
import { readStages } from './pipeline.ts'

function read(service: ServiceSlug, key: string, params: Record<string, unknown>) {
  const operation = findOperation(service, key)
  if (operation === undefined) throw new Error(key)
  return readStages(operation, params, OPERATIONS)
}

test('a pipeline runs its own operation first and then params.operations, each with its defaults', () => {
  const read_stages = read('video', 'rotate', {
    file_url: 'https://example.org/a.mp4',
    mode: '180',
    operations: [{ operation_key: 'mute' }, { operation_key: 'thumbnail', params: { width: 64 } }],
  })
  if ('refused' in read_stages) throw new Error(read_stages.refused.code)
  expect(read_stages.stages.map(({ operation, params }) => [operation.key, params])).toEqual([
    ['rotate', { mode: '180' }],
    ['mute', {}],
    ['thumbnail', expect.objectContaining({ width: 64, format: 'jpg' })],
  ])
})

test.each([
  ['video', 'trim', { operations: 'mute' }, 'operations: must be a list'],
  ['video', 'trim', { operations: Array(21).fill({ operation_key: 'mute' }) }, 'at most 20'],
  ['video', 'trim', { operations: ['mute'] }, 'operations.0: must be an object'],
  ['video', 'trim', { operations: [{ operation_key: 'nothing' }] }, 'operations.0.operation_key'],
  [
    'video',
    'trim',
    { operations: [{ operation_key: 'mute', parameters: {} }] },
    'only operation_key and params',
  ],
  [
    'video',
    'trim',
    { operations: [{ operation_key: 'fps', params: { fps: 0 } }] },
    'operations.0.params.fps',
  ],
  [
    'video',
    'trim',
    { operations: [{ operation_key: 'mute', params: { operations: [{ operation_key: 'mute' }] } }] },
    'operations.0.params.operations: an operation of a pipeline cannot contain a pipeline',
  ],
  ['video', 'gif', { operations: [{ operation_key: 'trim' }] }, 'gif must be the last operation'],
  ['video', 'compress', { operations: [{ operation_key: 'enhance_voice' }] }, 'must be the first operation'],
  ['video', 'trim', { operations: [{ operation_key: 'trimm' }] }, 'service. Did you mean trim?'],
  ['video', 'trim', { operations: [{ operation_key: 'video/trim' }] }, 'service. Did you mean trim?'],
  ['video', 'trim', { operations: [{ operation_key: 'link_info' }] }, 'not an operation of this service'],
  ['image', 'edit', {}, 'operations: is missing'],
] as const)('%s/%s %j is refused before anything is charged', (service, key, params, sentence) => {
  const param = expect.stringMatching(/^params\.operations(\.\d+)?(\.|$)/)
  const facts = { param, reason: expect.objectContaining({ en: expect.stringContaining(sentence) }) }
  expect(read(service, key, params)).toEqual({ refused: { code: 'invalid_params', facts } })
})

test('a file for a link operation is refused before a charge', () => {
  const params = { url: 'https://example.org/watch', file_url: 'https://example.org/a.mp4' }
  const refused = { code: 'operation_takes_link', facts: { operation: 'video/link_info' } }
  expect(read('video', 'link_info', params)).toEqual({ refused })
})
