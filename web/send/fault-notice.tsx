import type { UploadLink } from '../../client/src/index.ts'
import { describeError } from '../api/media.ts'
import { Notice } from '../design/surfaces.tsx'
import { defineTexts } from '../text/define-texts.ts'
import { formatBytes } from '../text/format.ts'
import { isolate } from '../text/isolate.ts'
import { describeFiles } from '../text/media-types.ts'
import { findFault } from './file-types.ts'
import type { Fault } from './use-sending.ts'

const texts = defineTexts({
  en: {
    several: 'This link accepts one file. Drop a single file.',
    empty: (name: string) => `“${name}” is empty. Choose another file.`,
    large: (name: string, size: string, limit: string) =>
      `“${name}” is ${size}; the limit is ${limit}. Choose a smaller file.`,
    type: (name: string, types: string) => `“${name}” is not accepted. This link accepts ${types}.`,
  },
  uk: {
    several: 'Посилання приймає лише один файл. Перетягніть один.',
    empty: (name: string) => `Файл «${name}» порожній. Виберіть інший.`,
    large: (name: string, size: string, limit: string) =>
      `Розмір файлу «${name}» — ${size}, а дозволено до ${limit}. Виберіть менший.`,
    type: (name: string, types: string) => `Файл «${name}» не підходить. Посилання приймає лише ${types}.`,
  },
  ru: {
    several: 'Ссылка принимает только один файл. Перетащите один.',
    empty: (name: string) => `Файл «${name}» пустой. Выберите другой.`,
    large: (name: string, size: string, limit: string) =>
      `Размер файла «${name}» — ${size}, а можно до ${limit}. Выберите файл поменьше.`,
    type: (name: string, types: string) => `Файл «${name}» не подходит. Ссылка принимает только ${types}.`,
  },
})

/** Says why a file was not sent, and which files can be. */
export function FaultNotice({ link, fault }: { link: UploadLink; fault: Fault }) {
  return <Notice kind="bad">{describeFault(link, fault)}</Notice>
}

function describeFault(link: UploadLink, fault: Fault): string {
  const t = texts()
  if (fault === 'several') return t.several
  // The advice of the service is for programs, and its sentence already says what to do.
  if ('error' in fault) return describeError(fault.error).message
  const { size } = fault.file
  const name = isolate(fault.file.name)
  switch (findFault(link, fault.file)) {
    case 'empty':
      return t.empty(name)
    case 'large':
      return t.large(name, formatBytes(size), formatBytes(link.max_size_bytes))
    default:
      return t.type(name, describeFiles(link.allowed_mime_types))
  }
}
