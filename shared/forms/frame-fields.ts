import type { FieldForm } from './form.ts'

/** Timestamp of a frame; its description differs between operations. */
export const FRAME_AT = {
  label: { en: 'Timestamp', uk_ru: 'Момент' },
  unit: 's',
  step: 0.1,
  control: 'time',
  group: 'frame',
} as const satisfies Partial<FieldForm>

/** Search for the best frame; its description differs between operations. */
export const SMART_FRAME = {
  label: { en: 'Find the best frame', uk: 'Знайти найкращий кадр', ru: 'Найти лучший кадр' },
  group: 'frame',
  hint: {
    en: 'Sharp, bright and detailed; near the timestamp if one is set',
    uk: 'Чіткий, світлий і детальний; поруч із моментом, якщо його задано',
    ru: 'Четкий, светлый и детальный; рядом с моментом, если он задан',
  },
} as const satisfies Partial<FieldForm>

/** Format of an image that is created from a video. */
export const STILL_FORMAT = {
  label: { en: 'Format', uk_ru: 'Формат' },
  description: {
    uk: 'Формат результату; jpeg — інша назва jpg',
    ru: 'Формат результата; jpeg — другое название jpg',
  },
  options: { jpg: 'JPEG', png: 'PNG', webp: 'WebP', jpeg: null },
} as const satisfies FieldForm & { options: object }
