import { fromFacts } from '../text/texts.ts'
import type { FailureEntry } from './entry.ts'

type SvgPart = 'entities' | 'scripts' | 'references'
const SVG_PARTS: Readonly<Record<SvgPart, Readonly<Record<'en' | 'uk' | 'ru', string>>>> = {
  entities: { en: 'entity declarations', uk: 'оголошення сутностей', ru: 'объявления сущностей' },
  scripts: { en: 'scripts', uk: 'скрипти', ru: 'скрипты' },
  references: {
    en: 'references to other files',
    uk: 'посилання на інші файли',
    ru: 'ссылки на другие файлы',
  },
}

/** Failures of images in formats or codings that no decoder here supports. */
export const IMAGE_FORMAT_FAILURES = {
  image_format_unsupported: {
    error_code: 'input_unreadable',
    text: fromFacts({
      en: ({ format }: { format: string }) =>
        `${format} files are not supported. Convert the image to JPEG, PNG, WebP, AVIF, HEIC, GIF or TIFF first.`,
      uk: ({ format }) =>
        `Файли ${format} не підтримуються. Спершу конвертуйте зображення у JPEG, PNG, WebP, AVIF, HEIC, GIF або TIFF.`,
      ru: ({ format }) =>
        `Файлы ${format} не поддерживаются. Сначала конвертируйте изображение в JPEG, PNG, WebP, AVIF, HEIC, GIF или TIFF.`,
    }),
  },
  tiff_unsupported: {
    error_code: 'input_unreadable',
    text: {
      en: 'The TIFF image is corrupt or of an unsupported kind, such as a camera raw file. Convert it to JPEG or PNG first.',
      uk: 'Зображення TIFF пошкоджене або непідтримуваного типу, наприклад файл Camera Raw. Спершу конвертуйте його в JPEG або PNG.',
      ru: 'Изображение TIFF повреждено или неподдерживаемого типа, например файл Camera Raw. Сначала конвертируйте его в JPEG или PNG.',
    },
  },
  tiff_compression_unsupported: {
    error_code: 'input_unreadable',
    text: fromFacts({
      en: ({ compression }: { compression: string }) =>
        `TIFF images with the compression ${compression} are not supported. Save the image in another format, such as JPEG, PNG or WebP.`,
      uk: ({ compression }) =>
        `Зображення TIFF зі стисненням ${compression} не підтримуються. Збережіть зображення в іншому форматі, наприклад JPEG, PNG або WebP.`,
      ru: ({ compression }) =>
        `Изображения TIFF со сжатием ${compression} не поддерживаются. Сохраните изображение в другом формате, например JPEG, PNG или WebP.`,
    }),
  },
  heif_coding_unsupported: {
    error_code: 'input_unreadable',
    text: fromFacts({
      en: ({ coding }: { coding: string }) =>
        `HEIF images encoded as ${coding} are not supported. Convert the image to JPEG, PNG, WebP, AVIF or HEIC first.`,
      uk: ({ coding }) =>
        `Зображення HEIF із кодуванням ${coding} не підтримуються. Спершу конвертуйте зображення у JPEG, PNG, WebP, AVIF або HEIC.`,
      ru: ({ coding }) =>
        `Изображения HEIF с кодированием ${coding} не поддерживаются. Сначала конвертируйте изображение в JPEG, PNG, WebP, AVIF или HEIC.`,
    }),
  },
  tiff_depth_unsupported: {
    error_code: 'input_unreadable',
    text: fromFacts({
      en: ({ bits }: { bits: number }) =>
        `TIFF images with ${bits} bits per channel are not supported. Save the image with 8 or 16 bits per channel.`,
      uk: ({ bits }) =>
        `Зображення TIFF із ${bits} бітами на канал не підтримуються. Збережіть зображення з 8 або 16 бітами на канал.`,
      ru: ({ bits }) =>
        `Изображения TIFF с ${bits} битами на канал не поддерживаются. Сохраните изображение с 8 или 16 битами на канал.`,
    }),
  },
  svg_part_unsupported: {
    error_code: 'input_unreadable',
    text: fromFacts({
      en: ({ part }: { part: SvgPart }) =>
        `SVG images with ${SVG_PARTS[part].en} are not supported. Remove them, or save the image as PNG.`,
      uk: ({ part }) =>
        `Зображення SVG, що містять ${SVG_PARTS[part].uk}, не підтримуються. Вилучіть їх або збережіть зображення як PNG.`,
      ru: ({ part }) =>
        `Изображения SVG, которые содержат ${SVG_PARTS[part].ru}, не поддерживаются. Удалите их или сохраните изображение как PNG.`,
    }),
  },
  svg_too_large: {
    error_code: 'input_too_large',
    text: fromFacts({
      en: ({ megabytes }: { megabytes: number }) =>
        `The SVG image is larger than ${megabytes} MB. Simplify it, or save it as PNG.`,
      uk: ({ megabytes }) => `Зображення SVG більше за ${megabytes} МБ. Спростіть його або збережіть як PNG.`,
      ru: ({ megabytes }) => `Изображение SVG больше ${megabytes} МБ. Упростите его или сохраните как PNG.`,
    }),
  },
  heif_short_form: {
    error_code: 'input_unreadable',
    text: {
      en: 'HEIF images in the short form (mif3) are not supported. Convert the image to JPEG, PNG, WebP, AVIF or HEIC first.',
      uk: 'Зображення HEIF у короткій формі (mif3) не підтримуються. Спершу конвертуйте зображення у JPEG, PNG, WebP, AVIF або HEIC.',
      ru: 'Изображения HEIF в короткой форме (mif3) не поддерживаются. Сначала конвертируйте изображение в JPEG, PNG, WebP, AVIF или HEIC.',
    },
  },
  avif_animated: {
    error_code: 'input_unreadable',
    text: {
      en: 'Animated AVIF images are not supported here. Use a JPEG, PNG, WebP or GIF image.',
      uk: 'Анімовані зображення AVIF тут не підтримуються. Використайте зображення JPEG, PNG, WebP або GIF.',
      ru: 'Анимированные изображения AVIF здесь не поддерживаются. Используйте изображение JPEG, PNG, WebP или GIF.',
    },
  },
  heic_sequence: {
    error_code: 'input_unreadable',
    text: {
      en: 'HEIC image sequences are not supported. Save an image of it as HEIC or JPEG first.',
      uk: 'Послідовності зображень HEIC не підтримуються. Спершу збережіть одне зображення як HEIC або JPEG.',
      ru: 'Последовательности изображений HEIC не поддерживаются. Сначала сохраните одно изображение как HEIC или JPEG.',
    },
  },
  samples_unsupported: {
    error_code: 'input_unreadable',
    text: {
      en: 'The samples of the image are signed integers, which are not supported. Save it with 8 or 16 bits per channel.',
      uk: 'Відліки зображення — цілі числа зі знаком, що не підтримується. Збережіть його з 8 або 16 бітами на канал.',
      ru: 'Отсчеты изображения — целые числа со знаком, что не поддерживается. Сохраните его с 8 или 16 битами на канал.',
    },
  },
} as const satisfies Record<string, FailureEntry>
