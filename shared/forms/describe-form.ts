import { z } from 'zod'
import { describeFields, entryOf, type Field } from '../planning/fields.ts'
import type { Operation } from '../planning/operation.ts'
import type { Locale } from '../text/texts.ts'
import { FIELD_GROUPS } from './field-groups.ts'
import type { AnyFieldForm, Control, FileKind, Form, Scalar } from './form.ts'
import { formText, translated } from './form-text.ts'
import { UNITS, type Unit } from './units.ts'

/** A parameter with what a form needs to show it, in one language (Contract: Catalog, Forms). */
export interface FormField extends Field {
  label: string
  hint: string | null
  unit: Unit | null
  unit_symbol: string | null
  step: number | null
  group: { key: string; title: string } | null
  is_advanced: boolean
  shown_when: { field: string; values: Scalar[] } | null
  /** Keys of fields that must be omitted while this one has a value. */
  replaces: string[] | null
  /** Parallel to `options`; null for an alias of another option. */
  option_labels: (string | null)[] | null
  control: Control | null
  accepts: FileKind[] | null
  /** Fields of each entry of an array of objects. */
  fields: FormField[] | null
}

/** Describes the form of an operation's parameters in one language. */
export function describeForm(
  { parameters }: Pick<Operation, 'parameters'>,
  { fields }: Pick<Form, 'fields'>,
  locale: Locale,
): FormField[] {
  return describeFields({ parameters }).map((field) => {
    const form = fields[field.key]
    if (form === undefined) throw new Error(`parameter ${field.key} has no form`)
    return describeField(field, form, entryOf(parameters, field.key), locale)
  })
}

function describeField(
  field: Field,
  form: AnyFieldForm,
  entry: z.ZodType | undefined,
  locale: Locale,
): FormField {
  const {
    group,
    control = null,
    shown_when,
    replaces,
    accepts,
    step = null,
    unit,
    is_advanced = false,
  } = form
  const declared = field.options ?? (entry instanceof z.ZodEnum ? entry.options : null)
  const options = declared && orderOptions(declared, form.options, locale)
  return {
    ...field,
    options,
    description: field.description && translated(locale, field.description, form.description),
    label: formText(locale, form.label),
    hint: form.hint === undefined ? null : formText(locale, form.hint),
    unit: unit ?? null,
    unit_symbol: unit === undefined ? null : formText(locale, UNITS[unit]),
    step,
    group: group === undefined ? null : { key: group, title: formText(locale, FIELD_GROUPS[group]) },
    is_advanced,
    shown_when: shown_when === undefined ? null : { ...shown_when, values: [...shown_when.values] },
    replaces: replaces === undefined ? null : [...replaces],
    option_labels: options && labelOptions(options, form.options ?? 'values', locale),
    control,
    accepts: accepts === undefined ? null : [...accepts],
    fields:
      form.fields === undefined || !(entry instanceof z.ZodObject)
        ? null
        : describeForm({ parameters: entry }, { fields: form.fields }, locale),
  }
}

/** Sorts options whose names are computed, such as languages, after the default. Others keep their own order. */
function orderOptions(
  options: readonly (string | number)[],
  labels: AnyFieldForm['options'],
  locale: Locale,
): (string | number)[] {
  if (typeof labels !== 'function') return [...options]
  const [first, ...others] = options.map((option) => ({ option, label: labels(String(option), locale) }))
  const sorted = others.sort((one, other) => one.label.localeCompare(other.label, locale))
  return [first, ...sorted].flatMap((named) => (named === undefined ? [] : [named.option]))
}

function labelOptions(
  options: readonly (string | number)[],
  labels: NonNullable<AnyFieldForm['options']>,
  locale: Locale,
): (string | null)[] {
  return options.map(String).map((option) => {
    if (labels === 'values') return option
    if (typeof labels === 'function') return labels(option, locale)
    const label = labels[option] ?? null
    return label === null ? null : formText(locale, label)
  })
}
