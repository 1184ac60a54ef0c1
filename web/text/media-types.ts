import { defineTexts } from './define-texts.ts'
import { locale } from './locale.ts'

const texts = defineTexts({
  en: {
    any: 'any file',
    video: 'video',
    image: 'image',
    audio: 'audio',
    videos: 'videos',
    images: 'images',
    audios: 'audio files',
    one: (kinds: string) => `One ${kinds}`,
    oneFile: (types: string) => `One file: ${types}`,
  },
  uk: {
    any: 'будь-який файл',
    video: 'відео',
    image: 'зображення',
    audio: 'аудіо',
    videos: 'відео',
    images: 'зображення',
    audios: 'аудіо',
    one: (kinds: string) => `Одне ${kinds}`,
    oneFile: (types: string) => `Один файл: ${types}`,
  },
  ru: {
    any: 'любой файл',
    video: 'видео',
    image: 'изображение',
    audio: 'аудио',
    videos: 'видео',
    images: 'изображения',
    audios: 'аудио',
    one: (kinds: string) => `Одно ${kinds}`,
    oneFile: (types: string) => `Один файл: ${types}`,
  },
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
  const { video, image, audio } = texts()
  return listTypes(types, { video, image, audio })
}

/** Describes the files of content types, to follow "accepts": "videos or images", or "MP4 or MOV". */
export function describeFiles(types: readonly string[]): string {
  const { videos, images, audios } = texts()
  return listTypes(types, { video: videos, image: images, audio: audios })
}

/** Describes one file of content types: "One video or image", or "One file: MP4 or MOV". */
export function describeOneFile(types: readonly string[]): string {
  const t = texts()
  const isKinds = types.every((type) => /^(video|image)\/\*$/.test(type))
  return isKinds ? t.one(describeTypes(types)) : t.oneFile(describeTypes(types))
}

type Kinds = Record<'video' | 'image' | 'audio', string>

function listTypes(types: readonly string[], kinds: Kinds): string {
  if (types.includes('*/*')) return texts().any
  const names = [...new Set(types.map((type) => describeType(type, kinds)))]
  return new Intl.ListFormat(locale.value, { type: 'disjunction' }).format(names)
}

function describeType(type: string, kinds: Kinds): string {
  const [kind = '', format = type] = type.split('/')
  if (format !== '*') return FORMATS[type] ?? format.replace(/^x-/, '').toUpperCase()
  return kind === 'video' || kind === 'image' || kind === 'audio' ? kinds[kind] : kind
}
