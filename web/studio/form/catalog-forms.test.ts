import { describe, expect, test } from 'vitest'
import { exampleParams } from '../../../shared/operations/examples.ts'
import { OPERATIONS } from '../../../shared/operations/index.ts'
import type { Operation } from '../../../shared/planning/operation.ts'
import { validateParams } from '../../../shared/planning/validate.ts'
import type { Tool } from '../tools.ts'
import { controlKind } from './control-kind.ts'
import { findFaults } from './find-faults.ts'
import { type Field, formFields, isAbsent, type Params, withParam } from './form-fields.ts'
import { commonParams, presetChoice } from './presets.ts'
import { matchingPreset, sentParams } from './sent-params.ts'
import { TOOLS, toolName, toolNamed } from './testing/tools.ts'

const LINK = { url: 'https://example.org/watch?v=1' }

function operationOf(name: string): Operation {
  const found = OPERATIONS.find(({ service, key }) => `${service}/${key}` === name)
  if (found === undefined) throw new Error(`There is no operation ${name}.`)
  return found
}

/** Parses parameters as the service does. Throws if it refuses them. */
function parse(name: string, params: Params): Params {
  const operation = operationOf(name)
  const parsed = validateParams(
    operation,
    operation.accepts.includes('link') ? { ...LINK, ...params } : params,
  )
  if ('refused' in parsed) throw new Error(JSON.stringify(parsed))
  return parsed.params
}

describe.each(TOOLS.map((tool) => [toolName(tool), tool] as const))('%s', (name, tool) => {
  const fields = formFields(tool)

  test('every field has a control', () => {
    expect(fields.filter((field) => controlKind(field) === null)).toEqual([])
  })

  test('every preset is valid, is recognized, and means the same without its defaults', () => {
    for (const [index, { params }] of tool.config.presets.entries()) {
      expect(findFaults(fields, params)).toEqual({})
      expect(matchingPreset(tool, params)).toBe(index)
      expect(parse(name, sentParams(fields, params))).toEqual(parse(name, params))
    }
  })

  test('bounds of numbers are those of the service', () => {
    for (const field of fields.filter(({ type }) => type === 'number' || type === 'integer')) {
      for (const [value, is_valid] of edgeValues(field)) {
        const params = {
          ...exampleParams(operationOf(name)),
          ...revealing(fields, field),
          [field.key]: value,
        }
        expect([field.key, value, findFaults(fields, params)[field.key] === undefined]).toEqual([
          field.key,
          value,
          is_valid,
        ])
        if (!is_valid) expect(() => parse(name, params)).toThrow(field.key)
      }
    }
  })
})

/**
 * Combinations of one field with a preset that the service refuses although each field alone is valid. The form shows
 * these refusals at the field that each names. Fields that exclude each other must say so by `replaces` instead.
 */
const REFUSED_COMBINATIONS: Readonly<Record<string, readonly string[]>> = {
  // These need a second value, which the service names.
  'image/crop': [
    ...['crop_aspect=free at width', 'height=1 at width', 'height=100000 at width', 'left=0 at width'],
    ...['left=100000 at width', 'top=0 at width', 'top=100000 at width', 'width=1 at height'],
    'width=100000 at height',
  ],
  'image/resize': [
    ...['gravity=auto at width', 'gravity=center at width', 'gravity=entropy at width'],
    ...['resize_mode=exact at width', 'resize_mode=fill at width', 'resize_mode=fit at width'],
    'resize_mode=scale at percent',
  ],
  // These would leave nothing to do.
  'image/enhance': ['autocontrast=false at brightness', 'blur=0 at brightness'],
  'image/strip_meta': ['strip_gps=false at strip_gps', 'strip_metadata=false at strip_gps'],
  'image/transform': ['rotate=0 at rotate'],
  'video/enhance_voice': ['loudnorm=false at loudnorm'],
  // Only AV1 has rate factors above 51.
  'video/compress': ['crf=63 at crf'],
  // The container does not support the codec of the other choice.
  'video/convert': [
    ...['acodec=aac at acodec', 'acodec=libmp3lame at acodec', 'format=webm at vcodec'],
    ...['vcodec=libx264 at vcodec', 'vcodec=libx265 at vcodec'],
  ],
}

test('no field is refused beside the values of a preset, except for the known combinations', () => {
  const refused = TOOLS.map((tool) => [toolName(tool), refusedBesidePresets(tool)] as const)
  expect(Object.fromEntries(refused.filter(([, fields]) => fields.length > 0))).toEqual(REFUSED_COMBINATIONS)
})

/** Sets each field to each of its own values in the form of each preset. Returns the refused values. */
function refusedBesidePresets(tool: Tool): string[] {
  const name = toolName(tool)
  const fields = formFields(tool)
  const starts = [exampleParams(operationOf(name)), ...tool.config.presets.map(({ params }) => params)]
  const refused = starts.flatMap((start) =>
    fields.flatMap((field) =>
      sampleValues(field).flatMap((value) => {
        const params = withParam({ ...start, ...revealing(fields, field) }, field.key, value)
        if (Object.keys(findFaults(fields, params)).length > 0) return []
        const operation = operationOf(name)
        const link = operation.accepts.includes('link') ? LINK : {}
        const parsed = validateParams(operation, { ...link, ...sentParams(fields, params) })
        return 'refused' in parsed ? [`${field.key}=${value} at ${parsed.refused.field}`] : []
      }),
    ),
  )
  return [...new Set(refused)].sort()
}

const SUBTITLES = '1\n00:00:01,000 --> 00:00:02,000\nHello\n'

/** Valid values of a field: every option, both bounds, or an example of what its control enters. */
function sampleValues({ type, control, options, min, max }: Field): unknown[] {
  if (type === 'boolean') return [true, false]
  if (type === 'enum') return [...(options ?? [])]
  if (type === 'integer' || type === 'number') return [min, max].filter((bound) => bound !== null)
  if (type !== 'string') return []
  const texts = { color: '#ffcc00', date: '2026-01-02T03:04:05', captions: SUBTITLES }
  if (control === 'file' || control === 'url') return ['https://example.org/file']
  return [control !== null && control in texts ? texts[control as keyof typeof texts] : 'Some text']
}

test('a logo replaces the text of the preset, also in what is sent', () => {
  const fields = formFields(toolNamed('image/watermark'))
  const logo_url = 'https://example.org/logo.png'
  const params = { text: '© Your name', color: '#ff0000', size: 30, logo_url }
  expect(sentParams(fields, params)).toEqual({ logo_url, size: 30 })
  expect(sentParams(fields, withParam(params, 'logo_url', ''))).toEqual({
    ...{ text: '© Your name', color: '#ff0000', size: 30 },
  })
})

test('presets keep the text that the user has entered, and enter none', () => {
  const watermark = toolNamed('image/watermark')
  expect(commonParams(watermark)).toEqual({ position: 'br', size: 20 })
  const { paramsOf } = presetChoice(watermark, { text: '© Ann', margin: 5 })
  expect(paramsOf('2')).toEqual({ text: '© Ann', tiled: true, size: 18, opacity: 0.25 })
  expect(presetChoice(watermark, paramsOf('2')).value).toBe('2')
})

/** Values at both bounds, and just beyond them. */
function edgeValues({ min, max }: Field): [number, boolean][] {
  return [
    ...(min === null
      ? []
      : ([
          [min, true],
          [min - 1, false],
        ] as [number, boolean][])),
    ...(max === null
      ? []
      : ([
          [max, true],
          [max + 1, false],
        ] as [number, boolean][])),
  ]
}

/** Parameters that show a conditional field. */
function revealing(fields: readonly Field[], { shown_when }: Field): Params {
  if (shown_when === null) return {}
  const { field: key, values } = shown_when
  const isList = fields.find((field) => field.key === key)?.type === 'array'
  return { [key]: isList ? values : values[0] }
}

test('sends only values that differ from the defaults and have an effect', () => {
  const fields = formFields(toolNamed('video/social'))
  const params = { preset: 'square', mode: 'crop', focus_x: 0.2, focus_y: 0.5, color: '#ff0000' }
  expect(sentParams(fields, params)).toEqual({ preset: 'square', focus_x: 0.2 })
  expect(sentParams(fields, { ...params, mode: 'pad' })).toEqual({
    preset: 'square',
    mode: 'pad',
    color: '#ff0000',
  })
})

test('keeps parameters that have no field, such as the further operations of a pipeline', () => {
  const operations = [{ operation_key: 'mute', params: {} }]
  expect(sentParams(formFields(toolNamed('video/trim')), { start: 1, operations })).toEqual({
    start: 1,
    operations,
  })
})

test('changed settings belong to no preset', () => {
  const tool = toolNamed('video/resize')
  expect(matchingPreset(tool, { height: 1080, width: 1920, mode: 'fit' })).toBe(0)
  expect(matchingPreset(tool, { width: 1000 })).toBe(null)
})

test.each([
  ['video/resize', { width: 15 }, { width: { kind: 'too_small', bound: 16 } }],
  ['video/resize', { width: 100.5 }, { width: { kind: 'not_integer' } }],
  ['video/resize', { width: Number.NaN }, { width: { kind: 'not_number' } }],
  ['video/resize', { mode: 'pad', color: '#12' }, { color: { kind: 'not_color' } }],
  ['video/resize', { color: '#12' }, {}],
  ['video/trim', { start: Number.NaN }, { start: { kind: 'not_time' } }],
  ['video/watermark', { logo_url: 'logo.png' }, { logo_url: { kind: 'not_url' } }],
  ['video/watermark', { text: 'x'.repeat(301) }, { text: { kind: 'too_long', bound: 300 } }],
  ['video/device_meta', {}, { preset: { kind: 'required' } }],
  ['video/device_meta', { preset: 'iphone', creation_time: 'soon' }, { creation_time: { kind: 'not_date' } }],
  ['video/add_audio', {}, { tracks: { kind: 'required' } }],
  ['video/add_audio', { tracks: [{}] }, { 'tracks.0.url': { kind: 'required' } }],
  ['video/link_info', {}, {}],
])('finds the faults of %s with %j', (name, params, faults) => {
  expect(findFaults(formFields(toolNamed(name)), params)).toEqual(faults)
})

test('an empty value is no value', () => {
  expect(['', null, undefined, 0, false].map(isAbsent)).toEqual([true, true, true, false, false])
  expect(withParam({ width: 5, height: 6 }, 'width', '')).toEqual({ height: 6 })
})
