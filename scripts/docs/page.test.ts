import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readStages } from '../../edge/rules/pipeline.ts'
import { findOperation, OPERATIONS } from '../../shared/operations/index.ts'
import type { EncodeMode } from '../../shared/operations/operation.ts'
import { ROOT } from '../system/root.ts'
import { encodeModesOf } from './encoding.ts'
import { exampleBody } from './examples.ts'
import { operationsPage } from './page.ts'

const byAddress = OPERATIONS.map((operation) => [`${operation.service}/${operation.key}`, operation] as const)
const page = operationsPage()

test('docs/operations.md is what the catalogue says; `npm run docs` writes it anew', () => {
  expect(readFileSync(join(ROOT, 'docs/operations.md'), 'utf8')).toBe(page)
})

test.each(byAddress)(
  '%s has a section that the contents lead to, with all of its parameters',
  (address, operation) => {
    expect(page).toContain(`[${address}](#${address.replace('/', '')})`)
    const section = page.split(`\n### ${address}\n`)[1]?.split('\n### ')[0] ?? ''
    for (const key of Object.keys(operation.parameters.shape)) expect(section).toContain(`| \`${key}\` |`)
    for (const { label } of operation.presets) expect(section).toContain(label)
  },
)

test.each(byAddress)('the example of %s is accepted', (_, operation) => {
  const { params } = exampleBody(operation)
  const read = readStages(operation, params, (key) => findOperation(operation.service, key))
  expect(read).toHaveProperty('stages')
})

test.each<[EncodeMode[], string[]]>([
  [['remux'], ['faststart', 'mute', 'strip_metadata', 'device_meta']],
  [['video_copy'], ['enhance_voice', 'add_audio']],
  [['encode'], ['compress', 'resize', 'social', 'fps', 'rotate', 'flip', 'speed', 'watermark']],
  [['encode'], ['blur_bg', 'circle', 'gif', 'auto_edit', 'link_captions']],
  [
    ['encode', 'remux'],
    ['trim', 'extract_audio', 'subtitles'],
  ],
  [['audio_copy', 'encode', 'remux'], ['convert']],
])('%j is how %j encode, as the specification has it', (modes, keys) => {
  for (const [, operation] of byAddress.filter(
    ([, { service, key }]) => service === 'video' && keys.includes(key),
  ))
    expect(encodeModesOf(operation).sort(), operation.key).toEqual(modes)
})
