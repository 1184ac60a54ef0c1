import type { z } from 'zod'
import type { Locale } from '../text/texts.ts'
import type { FieldGroupKey } from './field-groups.ts'
import type { FormText, Translations } from './form-text.ts'
import type { ToolGroupKey } from './tool-groups.ts'
import type { Unit } from './units.ts'

/** Inputs that suit a parameter better than the default for its type (Contract: Catalog, Forms). */
export const CONTROLS = [
  'slider',
  'time',
  'date',
  'color',
  'multiline',
  'captions',
  'url',
  'file',
  'point',
  'position',
] as const
export type Control = (typeof CONTROLS)[number]

/** Kinds of files that a parameter references. */
export const FILE_KINDS = ['image', 'audio', 'text'] as const
export type FileKind = (typeof FILE_KINDS)[number]

/** How a form shows a parameter. The rest follows from the schema of the parameter (shared/planning/fields.ts). */
export interface FieldForm {
  label: FormText
  /** What users need to know besides the label, in their words; absent if the label is sufficient. */
  hint?: FormText
  /** Translates the description of the parameter. */
  description: Translations
  unit?: Unit
  /** Increment of a number. Bounds, default and presets are multiples of it. */
  step?: number
  group?: FieldGroupKey
  /** True for what most users never change. */
  is_advanced?: true
  control?: Control
  /** Kinds of files that the control `file` accepts. */
  accepts?: readonly FileKind[]
}

/**
 * Labels of options: one for each, a function of the option, or 'values' if the options are readable themselves, such
 * as 16:9. The label of an alias of another option is null, and forms omit it.
 */
type OptionLabels<Value extends PropertyKey> =
  | { readonly [Option in Value]: FormText | null }
  | ((option: string, locale: Locale) => string)
  | 'values'

/** A value that a condition can name. */
export type Scalar = string | number | boolean

type EntryOf<Value> = Value extends readonly (infer Entry)[] ? Entry : Value

/** Shows a field only if a field beside it has one of these values or, being an array, contains one. */
type Condition<Siblings> = {
  [Key in keyof Siblings]-?: {
    field: Key
    values: readonly Extract<EntryOf<NonNullable<Siblings[Key]>>, Scalar>[]
  }
}[keyof Siblings]

type Choice<Value> = [Value] extends [string] ? (string extends Value ? never : Value) : never

/** The parts of a field's form that depend on its type. */
type PartsOf<Value> = [Choice<Value>] extends [never]
  ? [Value] extends [readonly (infer Entry)[]]
    ? [Choice<Entry>] extends [never]
      ? { fields: FieldForms<Entry> }
      : { options: OptionLabels<Choice<Entry>> }
    : object
  : { options: OptionLabels<Choice<Value>> }

export type FieldForms<Input> = {
  [Key in keyof Input]-?: FieldForm & {
    shown_when?: Condition<Input>
    /** Fields beside it that have no effect, or are refused, while it has a value. Forms then omit them. */
    replaces?: readonly Exclude<keyof Input, Key>[]
  } & PartsOf<NonNullable<Input[Key]>>
}

/**
 * How forms show an operation, in every language. A parameter, an option or a language that is missing does not
 * compile.
 */
export interface FormOf<Described extends { parameters: z.ZodObject }> {
  group: ToolGroupKey
  title: Translations
  description: Translations
  /** What users get, in a few words. */
  summary: FormText
  fields: FieldForms<z.input<Described['parameters']>>
  /** Translations of the labels of presets. */
  presets: Readonly<Record<string, Translations | 'same'>>
}

/** A field's form without its type, as the code that describes any form reads it. */
export interface AnyFieldForm extends FieldForm {
  shown_when?: { field: string; values: readonly Scalar[] }
  replaces?: readonly string[]
  options?:
    | 'values'
    | ((option: string, locale: Locale) => string)
    | Readonly<Record<string, FormText | null>>
  fields?: Readonly<Record<string, AnyFieldForm>>
}

export interface Form extends Omit<FormOf<{ parameters: z.ZodObject }>, 'fields'> {
  fields: Readonly<Record<string, AnyFieldForm>>
}
