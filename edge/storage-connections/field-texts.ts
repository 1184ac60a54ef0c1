import { packTexts } from '../../shared/text/texts.ts'

/** Faults in fields of a connection. */
export const NOT_A_NAME = packTexts({
  en: 'Must be 1 to 64 lowercase letters, digits, - or _. Choose another name.',
  uk: 'Має бути від 1 до 64 малих латинських літер, цифр, - або _. Виберіть іншу назву.',
  ru: 'Должно быть от 1 до 64 строчных латинских букв, цифр, - или _. Выберите другое имя.',
})
export const NOT_A_REGION = packTexts({
  en: 'Must be a region such as eu-central-1. Use auto if the storage has none.',
  uk: 'Має бути регіон, наприклад eu-central-1. Укажіть auto, якщо сховище не має регіонів.',
  ru: 'Должен быть регион, например eu-central-1. Укажите auto, если у хранилища нет регионов.',
})
export const NOT_A_BUCKET = packTexts({
  en: 'Must be the name of a bucket, without slashes. Check its spelling.',
  uk: 'Має бути назва бакета без скісних рисок. Перевірте, чи правильно її написано.',
  ru: 'Должно быть имя бакета без косых черт. Проверьте, правильно ли оно написано.',
})
export const NOT_A_KEY = packTexts({
  en: 'Must be 1 to 256 printable ASCII characters without spaces. Copy the whole key.',
  uk: 'Має бути від 1 до 256 друкованих символів ASCII без пробілів. Скопіюйте весь ключ.',
  ru: 'Должно быть от 1 до 256 печатных символов ASCII без пробелов. Скопируйте весь ключ.',
})
