import { expect, test } from 'vitest'
import { findFaults } from '../studio/form/find-faults.ts'
import { formFields } from '../studio/form/form-fields.ts'
import { toolNamed } from '../studio/form/testing/tools.ts'
import { makeCommonStep } from './chain.ts'
import { summarizeStep } from './step-summary.ts'

const watermark = toolNamed('image/watermark')

test('a new step leaves the text of a watermark to the user, and requires it or a logo', () => {
  const step = makeCommonStep(watermark)
  expect(step.params.text).toBeUndefined()
  const faultsWith = (params: object) => findFaults(formFields(watermark), { ...step.params, ...params })
  expect(faultsWith({})).toEqual({ text: { kind: 'required' } })
  expect(faultsWith({ text: '© Ann' })).toEqual({})
  expect(faultsWith({ logo_url: 'https://example.org/logo.png' })).toEqual({})
})

test('a summary names the preset and every setting that is not the default', () => {
  const resize = toolNamed('image/resize')
  const [preset] = resize.config.presets
  const summary = summarizeStep(resize, makeCommonStep(resize).params)
  expect(summary.startsWith(`${preset?.label} · `)).toBe(true)
  expect(summarizeStep(watermark, { text: '©\nAnn', position: 'c', size: 20, tiled: false })).toBe(
    'Text: “© Ann” · Position: Center',
  )
  expect(summarizeStep(watermark, { text: 'Ann' })).toBe('Name in the corner · Text: “Ann”')
  expect(summarizeStep(watermark, { margin: 0 })).not.toContain('corner')
})
