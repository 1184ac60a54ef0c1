import type { TextsFrom } from '../../../../shared/text/texts.ts'

/** The faults of a multipart form, built from the name of the field. */
export const FORM_FAULTS = {
  malformed: {
    en: () => 'The multipart form is incomplete or malformed. Send it again.',
    uk: () => 'Форма multipart неповна або пошкоджена. Надішліть її ще раз.',
    ru: () => 'Форма multipart неполная или повреждена. Отправьте ее еще раз.',
  },
  field_too_long: {
    en: (field) => `The field ${field} is too long. Shorten it.`,
    uk: (field) => `Поле ${field} задовге. Скоротіть його.`,
    ru: (field) => `Поле ${field} слишком длинное. Сократите его.`,
  },
  extra_file: {
    en: (field) => `The form accepts one file, in the field ${field}. Send only that one.`,
    uk: (field) => `Форма приймає один файл у полі ${field}. Надішліть лише його.`,
    ru: (field) => `Форма принимает один файл в поле ${field}. Отправьте только его.`,
  },
  wrong_file_field: {
    en: (field) => `The file is in the field ${field}. Send it in the field file.`,
    uk: (field) => `Файл надіслано в полі ${field}. Надішліть його в полі file.`,
    ru: (field) => `Файл отправлен в поле ${field}. Отправьте его в поле file.`,
  },
  file_as_text: {
    en: (field) => `The field ${field} has no file name, so it is text. Send it as a file, with a filename.`,
    uk: (field) =>
      `Поле ${field} не має імені файлу, тому воно є текстом. Надішліть його як файл із filename.`,
    ru: (field) => `У поля ${field} нет имени файла, поэтому это текст. Отправьте его как файл с filename.`,
  },
  truncated: {
    en: () => 'The form is truncated. Send it again.',
    uk: () => 'Форма обірвана. Надішліть її ще раз.',
    ru: () => 'Форма оборвана. Отправьте ее еще раз.',
  },
  truncated_file: {
    en: () => 'The form is truncated in the middle of the file. Send it again.',
    uk: () => 'Форма обірвана посеред файлу. Надішліть її ще раз.',
    ru: () => 'Форма оборвана посреди файла. Отправьте ее еще раз.',
  },
  file_too_large: {
    en: () => 'The file is too large. Send a smaller one.',
    uk: () => 'Файл завеликий. Надішліть менший.',
    ru: () => 'Файл слишком большой. Отправьте файл меньшего размера.',
  },
  not_a_form: {
    en: () => 'The body is not a form. Send it as multipart/form-data with a boundary.',
    uk: () => 'Тіло запиту не є формою. Надішліть його як multipart/form-data з boundary.',
    ru: () => 'Тело запроса не является формой. Отправьте его как multipart/form-data с boundary.',
  },
} satisfies Record<string, TextsFrom<string>>
/** Reason that a multipart form is invalid. */
export type FormFault = keyof typeof FORM_FAULTS
