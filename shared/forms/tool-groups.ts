import type { FormText } from './form-text.ts'

interface ToolGroup {
  title: FormText
  description: FormText
}

/** Groups of operations by what a user wants to do, in the order in which the studio shows them. */
export const TOOL_GROUPS = {
  compress: {
    title: { en: 'Compress', uk: 'Стиснення', ru: 'Сжатие' },
    description: {
      en: 'Smaller files that look the same.',
      uk: 'Менші файли з тією самою якістю на вигляд.',
      ru: 'Файлы меньше, а на вид качество то же.',
    },
  },
  convert: {
    title: { en: 'Convert', uk: 'Конвертація', ru: 'Конвертация' },
    description: {
      en: 'Other formats, codecs and frame rates.',
      uk: 'Інші формати, кодеки й частота кадрів.',
      ru: 'Другие форматы, кодеки и частота кадров.',
    },
  },
  resize: {
    title: { en: 'Resize and crop', uk: 'Розмір і кадрування', ru: 'Размер и кадрирование' },
    description: {
      en: 'The right dimensions for a screen, a feed or a profile.',
      uk: 'Потрібні розміри для екрана, стрічки чи профілю.',
      ru: 'Нужные размеры для экрана, ленты или профиля.',
    },
  },
  cut: {
    title: { en: 'Cut and speed', uk: 'Монтаж і швидкість', ru: 'Монтаж и скорость' },
    description: {
      en: 'Trim a clip, change its speed, or remove pauses.',
      uk: 'Виріжте фрагмент, змініть швидкість або приберіть паузи.',
      ru: 'Вырежьте фрагмент, измените скорость или уберите паузы.',
    },
  },
  picture: {
    title: { en: 'Picture', uk: 'Зображення', ru: 'Изображение' },
    description: {
      en: 'Rotate, flip, and adjust colors and sharpness.',
      uk: 'Повертайте, віддзеркалюйте, налаштовуйте кольори й різкість.',
      ru: 'Поворачивайте, отражайте, настраивайте цвета и резкость.',
    },
  },
  audio: {
    title: { en: 'Audio', uk_ru: 'Звук' },
    description: {
      en: 'Extract, remove, add or clean up sound.',
      uk: 'Витягніть, приберіть, додайте або очистьте звук.',
      ru: 'Извлеките, уберите, добавьте или очистите звук.',
    },
  },
  text: {
    title: { en: 'Text and subtitles', uk: 'Текст і субтитри', ru: 'Текст и субтитры' },
    description: {
      en: 'Subtitles, transcripts and watermarks.',
      uk: 'Субтитри, розшифровки й водяні знаки.',
      ru: 'Субтитры, расшифровки и водяные знаки.',
    },
  },
  create: {
    title: { en: 'Create', uk: 'Створення', ru: 'Создание' },
    description: {
      en: 'GIFs, thumbnails, covers and avatars.',
      uk: 'GIF, мініатюри, обкладинки й аватари.',
      ru: 'GIF, миниатюры, обложки и аватары.',
    },
  },
  privacy: {
    title: { en: 'Privacy and metadata', uk: 'Приватність і метадані', ru: 'Приватность и метаданные' },
    description: {
      en: 'Remove or replace what a file reveals.',
      uk: 'Приберіть або замініть те, що розкриває файл.',
      ru: 'Уберите или замените то, что раскрывает файл.',
    },
  },
  link: {
    title: { en: 'From a link', uk: 'За посиланням', ru: 'По ссылке' },
    description: {
      en: 'Work with a public video by its URL.',
      uk: 'Працюйте із загальнодоступним відео за його URL.',
      ru: 'Работайте с общедоступным видео по его URL.',
    },
  },
} as const satisfies Record<string, ToolGroup>

export type ToolGroupKey = keyof typeof TOOL_GROUPS
