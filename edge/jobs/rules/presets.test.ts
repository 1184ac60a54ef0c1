import { expect, test } from 'vitest'
import { findOperation, OPERATIONS } from '../../../shared/operations/index.ts'
import { findPresetFault } from './presets.ts'

function find(key: string) {
  const operation = findOperation('video', key)
  if (operation === undefined) throw new Error(`there is no ${key}`)
  return operation
}

test.each(OPERATIONS.map((operation) => [`${operation.service}/${operation.key}`, operation] as const))(
  'the default presets of %s are valid',
  (_name, operation) => {
    expect(findPresetFault(operation, operation.presets)).toBeNull()
  },
)

test('a preset of a link operation needs no link', () => {
  expect(findPresetFault(find('download_video'), [{ label: 'Plain', params: {} }])).toBeNull()
})

test.each([
  ['a value out of bounds', { crf: 99 }, [1, 'params'], /: crf: /],
  ['a parameter of another operation', { radius: 1 }, [1, 'params'], /: radius: is not a parameter/],
])('a preset with %s is refused', (_what, params, path, msg) => {
  const presets = [
    { label: 'Good', params: { crf: 20 } },
    { label: 'Bad', params },
  ]
  expect(findPresetFault(find('compress'), presets)).toEqual({
    loc: ['body', 'presets', ...path],
    msg: expect.objectContaining({ en: expect.stringMatching(msg) }),
    type: 'invalid_preset',
  })
})

test('two presets with the same label are refused', () => {
  const preset = { label: 'Same', params: {} }
  expect(findPresetFault(find('compress'), [preset, preset])).toMatchObject({
    loc: ['body', 'presets', 1, 'label'],
    type: 'duplicate_preset',
  })
})
