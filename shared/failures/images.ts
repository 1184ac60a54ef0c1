import { fromFacts } from '../text/texts.ts'
import type { FailureEntry } from './entry.ts'

/** Failures of images. */
export const IMAGE_FAILURES = {
  image_unreadable: {
    error_code: 'input_unreadable',
    text: {
      en: 'The image is truncated or corrupt. Upload the whole file.',
      uk: 'Зображення обірване або пошкоджене. Завантажте весь файл.',
      ru: 'Изображение оборвано или повреждено. Загрузите весь файл.',
    },
  },
  image_unsupported: {
    error_code: 'input_unreadable',
    text: {
      en: 'The file is not an image in a supported format. Use JPEG, PNG, WebP, AVIF, HEIC, GIF or TIFF.',
      uk: 'Файл не є зображенням у підтримуваному форматі. Використайте JPEG, PNG, WebP, AVIF, HEIC, GIF або TIFF.',
      ru: 'Файл не является изображением в поддерживаемом формате. Используйте JPEG, PNG, WebP, AVIF, HEIC, GIF или TIFF.',
    },
  },
  mixed_tiles: {
    error_code: 'input_unreadable',
    text: {
      en: 'The image combines tiles of different pixel formats, which is not supported. Save it again without tiles.',
      uk: 'Зображення поєднує фрагменти з різними форматами пікселів, що не підтримується. Збережіть його знову без фрагментів.',
      ru: 'Изображение объединяет фрагменты с разными форматами пикселей, что не поддерживается. Сохраните его снова без фрагментов.',
    },
  },
  heic_corrupt: {
    error_code: 'input_unreadable',
    text: {
      en: 'The HEIC image is truncated or corrupt. Upload the whole file.',
      uk: 'Зображення HEIC обірване або пошкоджене. Завантажте весь файл.',
      ru: 'Изображение HEIC оборвано или повреждено. Загрузите весь файл.',
    },
  },
  heic_profile_corrupt: {
    error_code: 'input_unreadable',
    text: {
      en: 'The color profile of the HEIC image is corrupt. Save the image again, or convert it to JPEG first.',
      uk: 'Колірний профіль зображення HEIC пошкоджено. Збережіть зображення знову або спершу конвертуйте його в JPEG.',
      ru: 'Цветовой профиль изображения HEIC поврежден. Сохраните изображение снова или сначала конвертируйте его в JPEG.',
    },
  },
  gif_truncated: {
    error_code: 'input_unreadable',
    text: {
      en: 'The GIF is truncated: it ends within a frame. Upload the whole file.',
      uk: 'GIF обірвано: він закінчується посеред кадру. Завантажте весь файл.',
      ru: 'GIF оборван: он заканчивается посреди кадра. Загрузите весь файл.',
    },
  },
  animated_png_truncated: {
    error_code: 'input_unreadable',
    text: {
      en: 'The animated PNG is truncated. Upload the whole file.',
      uk: 'Анімований PNG обірвано. Завантажте весь файл.',
      ru: 'Анимированный PNG оборван. Загрузите весь файл.',
    },
  },
  too_many_pixels: {
    error_code: 'input_too_large',
    text: fromFacts({
      en: ({ megapixels }: { megapixels: number }) =>
        `The image has more than ${megapixels} megapixels. Use a smaller image.`,
      uk: ({ megapixels }) =>
        `Зображення має понад ${megapixels} мегапікселів. Використайте менше зображення.`,
      ru: ({ megapixels }) =>
        `В изображении более ${megapixels} мегапикселей. Используйте изображение меньшего размера.`,
    }),
  },
  animation_too_large: {
    error_code: 'input_too_large',
    text: fromFacts({
      en: ({ megapixels }: { megapixels: number }) =>
        `All frames of the animation together exceed ${megapixels} megapixels. Use a smaller or shorter animation.`,
      uk: ({ megapixels }) =>
        `Усі кадри анімації разом мають понад ${megapixels} мегапікселів. Використайте меншу або коротшу анімацію.`,
      ru: ({ megapixels }) =>
        `Все кадры анимации вместе содержат более ${megapixels} мегапикселей. Используйте анимацию меньшего размера или короче.`,
    }),
  },
  animation_too_long: {
    error_code: 'input_too_large',
    text: {
      en: 'The animation has more than 5,000 frames. Use a shorter animation.',
      uk: 'Анімація має понад 5000 кадрів. Використайте коротшу анімацію.',
      ru: 'В анимации более 5000 кадров. Используйте более короткую анимацию.',
    },
  },
  image_needs_memory: {
    error_code: 'input_too_large',
    text: {
      en: 'The image needs more memory than one job may use. Remove large metadata, or use a smaller image.',
      uk: 'Зображенню потрібно більше пам’яті, ніж дозволено одному завданню. Вилучіть великі метадані або використайте менше зображення.',
      ru: 'Изображению нужно больше памяти, чем разрешено одному заданию. Удалите большие метаданные или используйте изображение меньшего размера.',
    },
  },
  image_time_limit: {
    error_code: 'time_limit',
    text: {
      en: 'Processing the image exceeds the time limit of one job. Use a smaller image or fewer operations.',
      uk: 'Обробка зображення перевищує ліміт часу одного завдання. Використайте менше зображення або менше операцій.',
      ru: 'Обработка изображения превышает лимит времени одного задания. Используйте изображение меньшего размера или меньше операций.',
    },
  },
  image_too_many_bytes: {
    error_code: 'parameter_refused',
    text: fromFacts({
      en: ({ limit_kb }: { limit_kb: number }) =>
        `max_kb: The image cannot be compressed to ${limit_kb} KB. Use a higher limit or a smaller size.`,
      uk: ({ limit_kb }) =>
        `max_kb: зображення неможливо стиснути до ${limit_kb} КБ. Укажіть вищу межу або менший розмір.`,
      ru: ({ limit_kb }) =>
        `max_kb: изображение невозможно сжать до ${limit_kb} КБ. Укажите больший предел или меньший размер.`,
    }),
  },
  no_glyphs: {
    error_code: 'parameter_refused',
    text: {
      en: 'text: The characters have no visible glyphs. Use other characters.',
      uk: 'text: ці символи не мають видимого вигляду. Використайте інші символи.',
      ru: 'text: эти символы не имеют видимого вида. Используйте другие символы.',
    },
  },
} as const satisfies Record<string, FailureEntry>
