import { defineTexts } from './define-texts.ts'
import { locale } from './locale.ts'

const texts = defineTexts({
  en: { any: 'any file', video: 'video', image: 'image', audio: 'audio' },
  uk: { any: 'будь-який файл', video: 'відео', image: 'зображення', audio: 'аудіо' },
  ru: { any: 'любой файл', video: 'видео', image: 'изображение', audio: 'аудио' },
})

/** Names of formats that differ from the second part of their type. */
const FORMATS: Record<string, string> = {
  'video/quicktime': 'MOV',
  'video/x-matroska': 'MKV',
  'video/x-msvideo': 'AVI',
  'video/webm': 'WebM',
  'image/webp': 'WebP',
  'image/svg+xml': 'SVG',
}

/** Describes content types in the language of the page, such as "video or image", or "MP4 or MOV". */
export function describeTypes(types: readonly string[]): string {
  if (types.includes('*/*')) return texts().any
  const names = [...new Set(types.map(describeType))]
  return new Intl.ListFormat(locale.value, { type: 'disjunction' }).format(names)
}

function describeType(type: string): string {
  const [kind = '', format = type] = type.split('/')
  if (format !== '*') return FORMATS[type] ?? format.replace(/^x-/, '').toUpperCase()
  return kind === 'video' || kind === 'image' || kind === 'audio' ? texts()[kind] : kind
}
