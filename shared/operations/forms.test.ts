import { describe, expect, test } from 'vitest'
import { describeForm, type FormField } from '../forms/describe-form.ts'
import { FIELD_GROUPS } from '../forms/field-groups.ts'
import type { AnyFieldForm, Control, Form } from '../forms/form.ts'
import { type FormText, formText } from '../forms/form-text.ts'
import { TOOL_GROUPS } from '../forms/tool-groups.ts'
import { UNITS } from '../forms/units.ts'
import { describeFields } from '../planning/fields.ts'
import type { Operation } from '../planning/operation.ts'
import { LOCALES } from '../text/texts.ts'
import { formOf } from './forms.ts'
import { IMAGE_FORMS } from './image/forms.ts'
import { OPERATIONS } from './index.ts'
import { LINK_FORMS } from './link/forms.ts'
import { VIDEO_FORMS } from './video/forms.ts'

const EACH = OPERATIONS.map((operation) => [`${operation.service}/${operation.key}`, operation] as const)

const NUMBERS = ['integer', 'number']
const TYPES: Record<Control, readonly string[]> = {
  ...{ slider: NUMBERS, time: NUMBERS, point: NUMBERS, position: ['enum'] },
  ...{ date: ['string'], color: ['string'], multiline: ['string'], captions: ['string'] },
  ...{ url: ['string'], file: ['string'] },
}

/** Returns all fields of a form, including those of array entries. */
function flatten(fields: readonly FormField[]): FormField[] {
  return fields.flatMap((field) => [field, ...flatten(field.fields ?? [])])
}

function fieldForms(fields: Form['fields']): [string, AnyFieldForm][] {
  return Object.entries(fields).flatMap(([key, form]) => [[key, form], ...fieldForms(form.fields ?? {})])
}

/** Returns all texts of a form, each with its English original. */
function textsOf(operation: Operation): [string, FormText][] {
  const { title, description, summary, presets, fields } = formOf(operation)
  const english = new Map(
    flatten(describeForm(operation, { fields }, 'en')).map((field) => [field.key, field]),
  )
  const own = (text: string, translations: Form['title'] | 'same'): FormText =>
    translations === 'same' ? text : { en: text, ...translations }
  return [
    ['title', own(operation.title, title)],
    ['description', own(operation.description, description)],
    ['summary', summary],
    ...operation.presets.map(({ label }): [string, FormText] => [
      `preset ${label}`,
      own(label, presets[label] ?? 'same'),
    ]),
    ...fieldForms(fields).flatMap(([key, form]): [string, FormText][] => [
      [`label of ${key}`, form.label],
      ...(form.hint === undefined ? [] : [[`hint of ${key}`, form.hint] as [string, FormText]]),
      [`description of ${key}`, own(english.get(key)?.description ?? '', form.description)],
      ...Object.entries(typeof form.options === 'object' ? form.options : {}).flatMap(
        ([option, label]): [string, FormText][] => (label === null ? [] : [[`${key}: ${option}`, label]]),
      ),
    ]),
  ]
}

/** Returns the numbers in a text, such as limits, in the notation of English. */
function numbersIn(text: string): string[] {
  return (text.match(/\d+(?:[.,]\d+)*/g) ?? []).map((number) => number.replace(',', '.')).sort()
}

function expectTranslated(name: string, text: FormText): void {
  if (typeof text === 'string') return
  const [en, uk, ru] = LOCALES.map((locale) => formText(locale, text)) as [string, string, string]
  expect([name, uk, ru]).not.toContain('')
  expect([name, uk]).not.toEqual([name, en])
  if (!('uk_ru' in text)) expect([name, ru]).not.toEqual([name, uk])
  expect(uk, name).not.toMatch(/[ыэъё]/i)
  expect(ru, name).not.toMatch(/[іїєґ’]/i)
  for (const translation of [uk, ru]) {
    expect(translation, name).toMatch(/[а-яіїє]/i)
    // Letters of two alphabets in one word look right, but cannot be searched for.
    expect(translation, name).not.toMatch(/[a-z][а-яіїєґ]|[а-яіїєґ][a-z]/i)
    expect([name, numbersIn(translation)]).toEqual([name, numbersIn(en)])
  }
}

test('every operation has a form, and every form an operation', () => {
  const forms = { ...VIDEO_FORMS, ...LINK_FORMS, ...IMAGE_FORMS }
  expect(Object.keys(forms).sort()).toEqual(EACH.map(([address]) => address).sort())
  for (const [address, operation] of EACH)
    expect(formOf(operation)).toBe(forms[address as keyof typeof forms])
})

test('every group of operations has operations, and every group of fields fields', () => {
  const used = OPERATIONS.map((operation) => formOf(operation).group)
  expect([...new Set(used)].sort()).toEqual(Object.keys(TOOL_GROUPS).sort())
  const groups = OPERATIONS.flatMap((operation) => fieldForms(formOf(operation).fields)).map(
    ([, { group }]) => group,
  )
  expect([...new Set(groups)].filter(Boolean).sort()).toEqual(Object.keys(FIELD_GROUPS).sort())
})

test.each([
  ...Object.entries(TOOL_GROUPS).flatMap(([key, { title, description }]) => [
    [`title of ${key}`, title],
    [`description of ${key}`, description],
  ]),
  ...Object.entries(FIELD_GROUPS),
  ...Object.entries(UNITS),
] as [string, FormText][])('the text of a group or unit is translated: %s', (name, text) => {
  expectTranslated(name, text)
})

describe.each(EACH)('%s', (_, operation) => {
  const form = formOf(operation)
  const fields = describeForm(operation, form, 'en')
  const all = flatten(fields)

  test('has a label and a description for every parameter, and for nothing else', () => {
    expect(Object.keys(form.fields).sort()).toEqual(Object.keys(operation.parameters.shape).sort())
    for (const { label, description } of all) {
      expect(label).toMatch(/^[A-Z\d].{1,39}$/)
      expect(description).not.toBeNull()
    }
  })

  test('keeps what the schema says', () => {
    for (const [index, known] of describeFields(operation).entries()) {
      const { options, ...rest } = known
      expect(fields[index]).toMatchObject(rest)
      if (options !== null) expect([...(fields[index]?.options ?? [])].sort()).toEqual([...options].sort())
    }
  })

  test('is translated', () => {
    for (const [name, text] of textsOf(operation)) expectTranslated(name, text)
  })

  test('translates its presets, and no others', () => {
    expect(Object.keys(form.presets).sort()).toEqual(operation.presets.map(({ label }) => label).sort())
  })

  test('shows the label of each option, except for aliases', () => {
    for (const { options, option_labels } of all) {
      expect(option_labels?.length).toBe(options?.length)
      const shown = (option_labels ?? []).filter((label) => label !== null)
      expect(new Set(shown).size).toBe(shown.length)
    }
    for (const [key, { options }] of fieldForms(form.fields)) {
      if (typeof options !== 'object') continue
      const known = all.find((field) => field.key === key)?.options?.map(String)
      expect(Object.keys(options).sort()).toEqual(known?.sort())
    }
  })

  test('shows fields depending on fields beside them, and on values that these can have', () => {
    for (const siblings of [fields, ...all.flatMap((field) => (field.fields ? [field.fields] : []))]) {
      for (const { key, shown_when } of siblings) {
        if (shown_when === null) continue
        const other = siblings.find((field) => field.key === shown_when.field)
        expect(shown_when.field).not.toBe(key)
        expect(other?.options ?? [true, false]).toEqual(expect.arrayContaining(shown_when.values))
      }
    }
  })

  test('replaces fields beside it only', () => {
    for (const siblings of [fields, ...all.flatMap((field) => (field.fields ? [field.fields] : []))]) {
      const keys = siblings.map(({ key }) => key)
      for (const { key, replaces } of siblings) {
        expect(replaces ?? []).not.toContain(key)
        expect(keys).toEqual(expect.arrayContaining(replaces ?? []))
      }
    }
  })

  test('has a step for every number, which divides its bounds, its default and its presets', () => {
    for (const { key, type, step, min, max, default: initial } of all) {
      const isNumber = NUMBERS.includes(type)
      expect([key, step !== null]).toEqual([key, isNumber])
      if (step === null) continue
      if (type === 'integer') expect(Number.isInteger(step)).toBe(true)
      const chosen = operation.presets.map(({ params }) => params[key])
      for (const value of [min, max, initial, ...chosen]) {
        if (typeof value !== 'number') continue
        const steps = value / step
        expect([key, value, Math.abs(steps - Math.round(steps)) < 1e-9]).toEqual([key, value, true])
      }
    }
  })

  test('has controls that suit the types', () => {
    for (const { key, type, control, accepts, unit } of all) {
      if (control !== null) expect([key, TYPES[control]]).toEqual([key, expect.arrayContaining([type])])
      if (unit !== null) expect([key, NUMBERS]).toEqual([key, expect.arrayContaining([type])])
      expect([key, accepts !== null]).toEqual([key, control === 'file'])
    }
    for (const { key, min, max } of all.filter(({ control }) => control === 'slider' || control === 'point'))
      expect([key, min, max]).not.toContain(null)
  })

  test('has both fields of a point in one group', () => {
    const points = all.filter(({ control }) => control === 'point')
    expect([0, 2]).toContain(points.length)
    expect(new Set(points.map(({ group }) => group?.key)).size).toBe(points.length / 2)
  })
})

test('languages of speech have names in every language', () => {
  const labels = LOCALES.map((locale) => {
    const transcribe = OPERATIONS.find(({ key }) => key === 'transcribe')
    if (transcribe === undefined) throw new Error('no operation')
    const field = describeForm(transcribe, formOf(transcribe), locale).find(({ key }) => key === 'language')
    return field?.option_labels?.[field.options?.indexOf('de') ?? -1]
  })
  expect(labels).toEqual(['German', 'Німецька', 'Немецкий'])
})

test('languages of speech are sorted by their names, after automatic detection', () => {
  const transcribe = OPERATIONS.find(({ key }) => key === 'transcribe')
  if (transcribe === undefined) throw new Error('no operation')
  const field = describeForm(transcribe, formOf(transcribe), 'uk').find(({ key }) => key === 'language')
  expect(field?.options?.[0]).toBe('auto')
  const names = (field?.option_labels ?? []).slice(1).map(String)
  expect(names).toEqual(names.toSorted((one, other) => one.localeCompare(other, 'uk')))
  expect(names).not.toContain('Ba')
  expect(names.at(0)).toMatch(/^А/)
})

test('fields of an array of objects are described too', () => {
  const add_audio = OPERATIONS.find(({ key }) => key === 'add_audio')
  if (add_audio === undefined) throw new Error('no operation')
  const [tracks] = describeForm(add_audio, formOf(add_audio), 'ru')
  expect(tracks).toMatchObject({ key: 'tracks', type: 'array', min: 1, max: 8, required: true })
  expect(tracks?.fields?.map(({ key, type, required }) => [key, type, required])).toEqual([
    ['url', 'string', true],
    ['start', 'number', false],
    ['volume', 'number', false],
    ['loop', 'boolean', false],
    ['fade_in', 'number', false],
    ['fade_out', 'number', false],
    ['duck', 'boolean', false],
  ])
  expect(tracks?.fields?.[0]).toMatchObject({ label: 'Аудиофайл', control: 'file', accepts: ['audio'] })
})
