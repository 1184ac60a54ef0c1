import { expect, test } from 'vitest'
import { commonParams, paramsWithoutFiles } from './presets.ts'
import { toolNamed } from './testing/tools.ts'

test('without files, a tool keeps its preset', () => {
  const tool = toolNamed('video/compress')
  const chosen = tool.config.presets[1]?.params ?? {}
  expect(paramsWithoutFiles(tool, chosen)).toEqual(chosen)
})

test('without files, a tool keeps the typed text, and forgets the place of it', () => {
  const tool = toolNamed('image/watermark')
  const typed = { text: 'My words', position: 'center', x: 7 }
  expect(paramsWithoutFiles(tool, typed)).toEqual({ ...commonParams(tool), text: 'My words' })
})
