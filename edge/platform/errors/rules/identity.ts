import type { ErrorEntry } from './entry.ts'

/** Errors for signing in with an identity provider. */
export const IDENTITY_ERRORS = {
  identity_provider_disabled: {
    status: 404,
    detail: {
      en: 'Signing in with an identity provider is not available here. Sign in with a password.',
      uk: 'Вхід через постачальника ідентифікації тут недоступний. Увійдіть із паролем.',
      ru: 'Вход через поставщика удостоверений здесь недоступен. Войдите с паролем.',
    },
    help: {
      en: 'Hide the button: the public config reports whether a provider is available.',
      uk: 'Сховайте кнопку: публічна конфігурація повідомляє, чи доступний постачальник.',
      ru: 'Скройте кнопку: публичная конфигурация сообщает, доступен ли поставщик.',
    },
  },
  invalid_sign_in_state: {
    status: 400,
    detail: {
      en: 'The sign-in is unknown, has expired, or was started in another browser or session. Start again here.',
      uk: 'Вхід невідомий, прострочений або розпочатий в іншому браузері чи сеансі. Почніть тут спочатку.',
      ru: 'Вход неизвестен, просрочен или начат в другом браузере или сеансе. Начните здесь заново.',
    },
    help: {
      en: 'Start the sign-in again and finish it in the same browser and session.',
      uk: 'Почніть вхід спочатку і завершіть його в тому самому браузері та сеансі.',
      ru: 'Начните вход заново и завершите его в том же браузере и сеансе.',
    },
  },
  identity_rejected: {
    status: 400,
    detail: {
      en: 'The identity provider did not confirm the sign-in. Start again.',
      uk: 'Постачальник ідентифікації не підтвердив вхід. Почніть спочатку.',
      ru: 'Поставщик удостоверений не подтвердил вход. Начните заново.',
    },
    help: {
      en: 'Start the sign-in again.',
      uk: 'Почніть вхід спочатку.',
      ru: 'Начните вход заново.',
    },
  },
  identity_provider_unavailable: {
    status: 502,
    detail: {
      en: 'The identity provider cannot be reached at the moment. Try again later.',
      uk: 'Постачальник ідентифікації наразі недоступний. Спробуйте пізніше.',
      ru: 'Поставщик удостоверений сейчас недоступен. Попробуйте позже.',
    },
    help: {
      en: 'Try again with exponential backoff.',
      uk: 'Повторюйте спроби з експоненційною затримкою.',
      ru: 'Повторяйте попытки с экспоненциальной задержкой.',
    },
  },
  identity_email_unverified: {
    status: 403,
    detail: {
      en: 'The identity provider has not verified your email address. Verify it there first.',
      uk: 'Постачальник ідентифікації не підтвердив вашу адресу електронної пошти. Спершу підтвердьте її там.',
      ru: 'Поставщик удостоверений не подтвердил ваш адрес электронной почты. Сначала подтвердите его там.',
    },
    help: {
      en: 'Verify the address at the provider, or register with a password.',
      uk: 'Підтвердьте адресу в постачальника або зареєструйтеся з паролем.',
      ru: 'Подтвердите адрес у поставщика или зарегистрируйтесь с паролем.',
    },
  },
  identity_email_unusable: {
    status: 403,
    detail: {
      en: 'The identity provider reported an email address that cannot be used. Register with a password.',
      uk: 'Постачальник ідентифікації передав адресу електронної пошти, яку не можна використати. Зареєструйтеся з паролем.',
      ru: 'Поставщик удостоверений передал адрес электронной почты, который нельзя использовать. Зарегистрируйтесь с паролем.',
    },
    help: {
      en: 'Register with a password and another address.',
      uk: 'Зареєструйтеся з паролем та іншою адресою.',
      ru: 'Зарегистрируйтесь с паролем и другим адресом.',
    },
  },
  account_already_linked: {
    status: 409,
    detail: {
      en: 'The account is linked to another identity. Sign in with a password and unlink that one first.',
      uk: 'Обліковий запис пов’язано з іншим профілем постачальника. Увійдіть із паролем і спершу від’єднайте той профіль.',
      ru: 'Учетная запись связана с другим профилем поставщика. Войдите с паролем и сначала отвяжите тот профиль.',
    },
    help: {
      en: 'Unlink the other identity first.',
      uk: 'Спершу від’єднайте інший профіль.',
      ru: 'Сначала отвяжите другой профиль.',
    },
  },
  identity_already_linked: {
    status: 409,
    detail: {
      en: 'This identity is linked to another account. Use it to sign in to that account.',
      uk: 'Цей профіль постачальника пов’язано з іншим обліковим записом. Увійдіть із ним у той обліковий запис.',
      ru: 'Этот профиль поставщика связан с другой учетной записью. Войдите с ним в ту учетную запись.',
    },
    help: {
      en: 'Use another identity, or unlink it in the other account.',
      uk: 'Скористайтеся іншим профілем або від’єднайте його в іншому обліковому записі.',
      ru: 'Используйте другой профиль или отвяжите его в другой учетной записи.',
    },
  },
  last_sign_in_method: {
    status: 409,
    detail: {
      en: 'This identity is the only way to sign in to the account. Set a password first.',
      uk: 'Цей профіль — єдиний спосіб увійти в обліковий запис. Спершу встановіть пароль.',
      ru: 'Этот профиль — единственный способ войти в учетную запись. Сначала установите пароль.',
    },
    help: {
      en: 'Set a password before unlinking.',
      uk: 'Установіть пароль, перш ніж від’єднувати профіль.',
      ru: 'Установите пароль, прежде чем отвязывать профиль.',
    },
  },
} as const satisfies Record<string, ErrorEntry>
