import type { Texts } from '../../../../shared/text/texts.ts'

/** Attempts that are counted and limited, worded to follow "too many". */
export const ATTEMPTS = {
  registrations: {
    en: 'registrations from this network',
    uk: 'реєстрацій із цієї мережі',
    ru: 'регистраций из этой сети',
  },
  registration_attempts: {
    en: 'registration attempts from this network',
    uk: 'спроб реєстрації з цієї мережі',
    ru: 'попыток регистрации из этой сети',
  },
  current_passwords: {
    en: 'wrong passwords',
    uk: 'неправильних паролів',
    ru: 'неверных паролей',
  },
  sign_ins_of_network: {
    en: 'failed sign-ins from this network',
    uk: 'невдалих спроб входу з цієї мережі',
    ru: 'неудачных попыток входа из этой сети',
  },
  sign_ins_of_network_and_address: {
    en: 'failed sign-ins for this address from this network',
    uk: 'невдалих спроб входу з цією адресою з цієї мережі',
    ru: 'неудачных попыток входа с этим адресом из этой сети',
  },
  sign_ins_of_address: {
    en: 'failed sign-ins for this address from unknown browsers',
    uk: 'невдалих спроб входу з цією адресою з невідомих браузерів',
    ru: 'неудачных попыток входа с этим адресом из неизвестных браузеров',
  },
  sign_ins_of_browser: {
    en: 'failed sign-ins from known browsers',
    uk: 'невдалих спроб входу з відомих браузерів',
    ru: 'неудачных попыток входа из известных браузеров',
  },
  codes: {
    en: 'requests for a confirmation code',
    uk: 'запитів коду підтвердження',
    ru: 'запросов кода подтверждения',
  },
  code_guesses: {
    en: 'wrong guesses at this code',
    uk: 'неправильних спроб увести цей код',
    ru: 'неверных попыток ввести этот код',
  },
  exports: {
    en: 'exports of this account',
    uk: 'експортів даних цього облікового запису',
    ru: 'экспортов данных этой учетной записи',
  },
  password_resets: {
    en: 'requests for a password reset link for this address',
    uk: 'запитів посилання для скидання пароля на цю адресу',
    ru: 'запросов ссылки для сброса пароля на этот адрес',
  },
  password_resets_of_network: {
    en: 'requests for password reset links from this network',
    uk: 'запитів посилань для скидання пароля з цієї мережі',
    ru: 'запросов ссылок для сброса пароля из этой сети',
  },
  misses: {
    en: 'requests from this network for files or links that do not exist',
    uk: 'запитів із цієї мережі на файли чи посилання, яких не існує',
    ru: 'запросов из этой сети к файлам или ссылкам, которых не существует',
  },
  link_uploads: {
    en: 'uploads from this network',
    uk: 'завантажень із цієї мережі',
    ru: 'загрузок из этой сети',
  },
} satisfies Record<string, Texts>
export type Attempt = keyof typeof ATTEMPTS
