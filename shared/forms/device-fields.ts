import { DEVICE_NAMES } from '../devices/device-names.ts'
import type { FieldForm } from './form.ts'

/** The device whose tags are written. */
export const DEVICE = {
  label: { en: 'Device', uk: 'Пристрій', ru: 'Устройство' },
  description: { uk: 'Пристрій, теги якого записуються', ru: 'Устройство, теги которого записываются' },
  options: DEVICE_NAMES,
} as const satisfies FieldForm & { options: object }

/** The creation time; its description differs between video and image. */
export const CREATION_TIME = {
  label: { en: 'Date and time', uk: 'Дата й час', ru: 'Дата и время' },
  control: 'date',
  hint: {
    en: 'Default: no date is written',
    uk: 'За замовчуванням дата не записується',
    ru: 'По умолчанию дата не записывается',
  },
} as const satisfies Partial<FieldForm>
