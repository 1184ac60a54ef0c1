import { fromFacts } from '../text/texts.ts'
import type { FailureEntry } from './entry.ts'

/** Failures of reading, changing and removing the metadata of images. */
export const METADATA_FAILURES = {
  metadata_left: {
    error_code: 'processing_failed',
    text: {
      en: 'Some metadata cannot be removed from this image. Convert it to another format instead.',
      uk: 'Деякі метадані неможливо вилучити з цього зображення. Натомість конвертуйте його в інший формат.',
      ru: 'Некоторые метаданные невозможно удалить из этого изображения. Вместо этого конвертируйте его в другой формат.',
    },
  },
  metadata_unchangeable: {
    error_code: 'input_unreadable',
    text: {
      en: 'The metadata of the image cannot be changed: the file is corrupt or of an unsupported kind. Convert it first.',
      uk: 'Метадані зображення неможливо змінити: файл пошкоджений або непідтримуваного типу. Спершу конвертуйте його.',
      ru: 'Метаданные изображения невозможно изменить: файл поврежден или неподдерживаемого типа. Сначала конвертируйте его.',
    },
  },
  big_tiff_metadata: {
    error_code: 'input_unreadable',
    text: {
      en: 'The metadata of BigTIFF images cannot be changed. Save the image as a TIFF of less than 4 GB, or convert it first.',
      uk: 'Метадані зображень BigTIFF неможливо змінити. Збережіть зображення як TIFF, менший за 4 ГБ, або спершу конвертуйте його.',
      ru: 'Метаданные изображений BigTIFF невозможно изменить. Сохраните изображение как TIFF меньше 4 ГБ или сначала конвертируйте его.',
    },
  },
  png_metadata_too_large: {
    error_code: 'input_too_large',
    text: fromFacts({
      en: ({ megabytes, chunks }: { megabytes: number; chunks: number }) =>
        `The metadata of the PNG exceeds ${megabytes} MB or ${chunks} chunks. Save the image without its metadata.`,
      uk: ({ megabytes, chunks }) =>
        `Метадані PNG перевищують ${megabytes} МБ або ${chunks} блоків. Збережіть зображення без метаданих.`,
      ru: ({ megabytes, chunks }) =>
        `Метаданные PNG превышают ${megabytes} МБ или ${chunks} блоков. Сохраните изображение без метаданных.`,
    }),
  },
} as const satisfies Record<string, FailureEntry>
