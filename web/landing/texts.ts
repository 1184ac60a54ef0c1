import { defineTexts } from '../text/define-texts.ts'

/** Title of the tab and description for search engines. */
export const landingTexts = defineTexts({
  en: {
    title: 'Compress, convert and cut videos and images',
    description: 'Compress, convert, cut and repair videos and images in the browser, or by API.',
  },
  uk: {
    title: 'Стиснути, конвертувати та змонтувати відео й зображення',
    description:
      'Стискайте, конвертуйте, монтуйте й виправляйте відео та зображення в браузері або через API.',
  },
  ru: {
    title: 'Сжать, конвертировать и смонтировать видео и изображения',
    description:
      'Сжимайте, конвертируйте, монтируйте и исправляйте видео и изображения в браузере или через API.',
  },
})
