import { z } from '@hono/zod-openapi'
import { CONTROLS, FILE_KINDS } from '../../shared/forms/form.ts'
import { UNITS, type Unit } from '../../shared/forms/units.ts'

const FIELD_TYPES = ['string', 'integer', 'number', 'boolean', 'enum', 'array', 'object'] as const

/** What validates a parameter. */
const VALIDATION = {
  key: z.string().openapi({ description: 'Name of the parameter in `params`', example: 'crf' }),
  type: z.enum(FIELD_TYPES).openapi({ description: 'Type of the value', example: 'integer' }),
  min: z.number().nullable().openapi({
    description: 'Minimum of a number, minimum characters of a string, or minimum entries of an array',
    example: 0,
  }),
  max: z.number().nullable().openapi({
    description: 'Maximum of a number, maximum characters of a string, or maximum entries of an array',
    example: 51,
  }),
  default: z
    .unknown()
    .openapi({ description: 'Value that is used if the parameter is absent; null if none', example: null }),
  required: z.boolean().openapi({ description: 'True if the parameter must be sent', example: false }),
  options: z
    .array(z.union([z.string(), z.number()]))
    .nullable()
    .openapi({
      description: 'Values of an enum, or of the entries of an array of enums; null for other types',
      example: null,
    }),
  description: z
    .string()
    .nullable()
    .openapi({ description: 'What the parameter does', example: 'Constant rate factor, overrides level' }),
}

/** How a form shows a parameter. */
const FORM = {
  label: z.string().openapi({ description: 'Short label', example: 'Quality (CRF)' }),
  hint: z.string().nullable().openapi({
    description: 'What users need to know besides the label; null if it is sufficient',
    example: 'Lower is better, and larger',
  }),
  unit: z
    .enum(Object.keys(UNITS) as [Unit, ...Unit[]])
    .nullable()
    .openapi({ description: 'Unit of a number', example: null }),
  unit_symbol: z
    .string()
    .nullable()
    .openapi({ description: 'Symbol of the unit, to show after the value', example: null }),
  step: z.number().nullable().openapi({
    description: 'Increment of a number; the bounds and the default are multiples of it',
    example: 1,
  }),
  group: z
    .object({
      key: z.string().openapi({ description: 'Key of the group', example: 'size' }),
      title: z.string().openapi({ description: 'Title of the group', example: 'Size' }),
    })
    .nullable()
    .describe('Group of fields that belong together'),
  is_advanced: z
    .boolean()
    .openapi({ description: 'True if most users never change the parameter', example: true }),
  shown_when: z
    .object({
      field: z.string().openapi({ description: 'Key of another field of the form', example: 'mode' }),
      values: z
        .array(z.union([z.string(), z.number(), z.boolean()]))
        .openapi({ description: 'Values of that field', example: ['pad'] }),
    })
    .nullable()
    .describe(
      'The field has an effect only if another field has one of these values, or is an array that contains one; null if always',
    ),
  replaces: z.array(z.string()).nullable().openapi({
    description:
      'Keys of fields that have no effect, or are refused, while this field has a value; forms omit them. Null if none',
    example: null,
  }),
  option_labels: z.array(z.string().nullable()).nullable().openapi({
    description:
      'Labels of `options`, in their order. Null for an option that is an alias of another one; forms omit it',
    example: null,
  }),
  control: z.enum(CONTROLS).nullable().openapi({
    description: 'Input that suits the parameter best; null if its type is sufficient',
    example: 'slider',
  }),
  accepts: z
    .array(z.enum(FILE_KINDS))
    .nullable()
    .openapi({ description: 'Kinds of files whose URL the control `file` enters', example: null }),
}

/** A parameter of an operation. */
export const ToolField = z
  .object({
    ...VALIDATION,
    ...FORM,
    get fields(): z.ZodNullable<z.ZodArray<z.ZodType>> {
      return z
        .array(ToolField as z.ZodType)
        .nullable()
        .openapi({ description: 'Fields of each entry of an array of objects; null for other types' })
    },
  })
  // The example omits `default`, because linters would parse it as a schema.
  .openapi('ToolField', {
    example: {
      ...{ key: 'crf', type: 'integer', min: 0, max: 63, required: false, options: null },
      ...{ description: 'Constant rate factor, overrides level', label: 'Quality (CRF)', unit: null },
      hint: 'Lower is better, and larger',
      ...{ unit_symbol: null, step: 1, group: null, is_advanced: true, shown_when: null, replaces: null },
      ...{ option_labels: null, control: 'slider', accepts: null, fields: null },
    },
  })
