import { countText, waitText } from '../../../../shared/text/words.ts'
import { ATTEMPTS, type Attempt } from './attempts.ts'
import { type ErrorEntry, type Wait, withFacts } from './entry.ts'

/** Errors for accounts, sign-in and API keys. */
export const ACCOUNT_ERRORS = {
  account_not_found: {
    status: 404,
    detail: {
      en: 'Account not found. Check its id or email address.',
      uk: 'Обліковий запис не знайдено. Перевірте його ідентифікатор або адресу електронної пошти.',
      ru: 'Учетная запись не найдена. Проверьте ее идентификатор или адрес электронной почты.',
    },
    help: {
      en: 'Search for the account first.',
      uk: 'Спочатку знайдіть обліковий запис.',
      ru: 'Сначала найдите учетную запись.',
    },
  },
  invalid_credentials: {
    status: 401,
    detail: {
      en: 'The email address or the password is wrong. Check both and try again.',
      uk: 'Неправильна адреса електронної пошти або пароль. Перевірте їх і повторіть спробу.',
      ru: 'Неверный адрес электронной почты или пароль. Проверьте их и повторите попытку.',
    },
    help: {
      en: 'Ask the user to enter both again; unknown addresses get the same response.',
      uk: 'Попросіть користувача ввести їх ще раз; для невідомих адрес відповідь така сама.',
      ru: 'Попросите пользователя ввести их еще раз; для неизвестных адресов ответ такой же.',
    },
  },
  account_blocked: {
    status: 403,
    detail: {
      en: 'The account is blocked. Contact support.',
      uk: 'Обліковий запис заблоковано. Зверніться до служби підтримки.',
      ru: 'Учетная запись заблокирована. Обратитесь в службу поддержки.',
    },
    help: {
      en: 'Contact support.',
      uk: 'Зверніться до служби підтримки.',
      ru: 'Обратитесь в службу поддержки.',
    },
  },
  registration_disabled: {
    status: 403,
    detail: {
      en: 'Registration is closed at the moment. Try again later.',
      uk: 'Реєстрацію наразі закрито. Спробуйте пізніше.',
      ru: 'Регистрация сейчас закрыта. Попробуйте позже.',
    },
    help: { en: 'Try again later.', uk: 'Спробуйте пізніше.', ru: 'Попробуйте позже.' },
  },
  email_already_registered: {
    status: 409,
    detail: {
      en: 'An account with this email address already exists. Sign in instead.',
      uk: 'Обліковий запис із цією адресою електронної пошти вже існує. Увійдіть у нього.',
      ru: 'Учетная запись с этим адресом электронной почты уже существует. Войдите в нее.',
    },
    help: {
      en: 'Prompt the user to sign in.',
      uk: 'Запропонуйте користувачеві увійти.',
      ru: 'Предложите пользователю войти.',
    },
  },
  captcha_required: {
    status: 400,
    detail: {
      en: 'captcha_token is missing. Solve the captcha and send its token.',
      uk: 'Немає captcha_token. Пройдіть капчу і надішліть її токен.',
      ru: 'Нет captcha_token. Пройдите капчу и отправьте ее токен.',
    },
    help: {
      en: 'Show the captcha that the public config names.',
      uk: 'Покажіть капчу, указану в публічній конфігурації.',
      ru: 'Покажите капчу, указанную в публичной конфигурации.',
    },
  },
  captcha_rejected: {
    status: 400,
    detail: {
      en: 'The captcha was not solved, or its token was used before. Solve a new one.',
      uk: 'Капчу не пройдено або її токен уже використано. Пройдіть нову.',
      ru: 'Капча не пройдена или ее токен уже использован. Пройдите новую.',
    },
    help: {
      en: 'Reset the captcha and send the new token.',
      uk: 'Оновіть капчу і надішліть новий токен.',
      ru: 'Обновите капчу и отправьте новый токен.',
    },
  },
  captcha_unavailable: {
    status: 503,
    detail: {
      en: 'The captcha cannot be checked at the moment. Try again later.',
      uk: 'Наразі неможливо перевірити капчу. Спробуйте пізніше.',
      ru: 'Сейчас невозможно проверить капчу. Попробуйте позже.',
    },
    help: {
      en: 'Try again with exponential backoff.',
      uk: 'Повторюйте спроби з експоненційною затримкою.',
      ru: 'Повторяйте попытки с экспоненциальной задержкой.',
    },
  },
  too_many_attempts: withFacts({
    status: 429,
    detail: {
      en: ({ attempt, retry_after_seconds }: { attempt: Attempt } & Wait) =>
        `Too many ${ATTEMPTS[attempt].en}. Try again ${waitText('en', retry_after_seconds)}.`,
      uk: ({ attempt, retry_after_seconds }) =>
        `Забагато ${ATTEMPTS[attempt].uk}. Повторіть спробу ${waitText('uk', retry_after_seconds)}.`,
      ru: ({ attempt, retry_after_seconds }) =>
        `Слишком много ${ATTEMPTS[attempt].ru}. Повторите попытку ${waitText('ru', retry_after_seconds)}.`,
    },
    example: { attempt: 'sign_ins_of_network', retry_after_seconds: 300 },
    help: {
      en: 'Wait as long as Retry-After says.',
      uk: 'Зачекайте стільки, скільки вказано в Retry-After.',
      ru: 'Подождите столько, сколько указано в Retry-After.',
    },
  }),
  email_confirmation_unavailable: {
    status: 503,
    detail: {
      en: 'Email addresses cannot be confirmed at the moment. Try again later.',
      uk: 'Наразі неможливо підтвердити адресу електронної пошти. Спробуйте пізніше.',
      ru: 'Сейчас невозможно подтвердить адрес электронной почты. Попробуйте позже.',
    },
    help: {
      en: 'Try again later: email is not configured, or confirmation is disabled.',
      uk: 'Спробуйте пізніше: пошту не налаштовано або підтвердження вимкнено.',
      ru: 'Попробуйте позже: почта не настроена или подтверждение отключено.',
    },
  },
  email_already_confirmed: {
    status: 409,
    detail: {
      en: 'The email address is already confirmed. No code is needed.',
      uk: 'Адресу електронної пошти вже підтверджено. Код не потрібен.',
      ru: 'Адрес электронной почты уже подтвержден. Код не нужен.',
    },
    help: {
      en: 'Reload the email status.',
      uk: 'Оновіть стан адреси електронної пошти.',
      ru: 'Обновите состояние адреса электронной почты.',
    },
  },
  wrong_confirmation_code: withFacts({
    status: 400,
    detail: {
      en: ({ guesses_left }: { guesses_left: number }) =>
        `The code is wrong. ${
          guesses_left === 0
            ? 'Request a new one.'
            : `You have ${countText('en', guesses_left, 'attempt')} left.`
        }`,
      uk: ({ guesses_left }) =>
        `Неправильний код. ${
          guesses_left === 0
            ? 'Запросіть новий.'
            : `Залишилося ще ${countText('uk', guesses_left, 'attempt')}.`
        }`,
      ru: ({ guesses_left }) =>
        `Неверный код. ${
          guesses_left === 0
            ? 'Запросите новый.'
            : `Осталось еще ${countText('ru', guesses_left, 'attempt')}.`
        }`,
    },
    example: { guesses_left: 4 },
    help: {
      en: 'Ask the user to enter the code again, or request a new one.',
      uk: 'Попросіть користувача ввести код ще раз або запросіть новий.',
      ru: 'Попросите пользователя ввести код еще раз или запросите новый.',
    },
  }),
  confirmation_code_expired: {
    status: 400,
    detail: {
      en: 'The code has expired. Request a new one.',
      uk: 'Строк дії коду минув. Запросіть новий.',
      ru: 'Срок действия кода истек. Запросите новый.',
    },
    help: { en: 'Request a new code.', uk: 'Запросіть новий код.', ru: 'Запросите новый код.' },
  },
  current_password_required: {
    status: 400,
    detail: {
      en: 'current_password is missing. Send the current password.',
      uk: 'Немає current_password. Надішліть поточний пароль.',
      ru: 'Нет current_password. Отправьте текущий пароль.',
    },
    help: {
      en: 'Ask for the current password.',
      uk: 'Запитайте поточний пароль.',
      ru: 'Запросите текущий пароль.',
    },
  },
  wrong_current_password: {
    status: 400,
    detail: {
      en: 'current_password is wrong. Check it and try again.',
      uk: 'Неправильний current_password. Перевірте його і повторіть спробу.',
      ru: 'Неверный current_password. Проверьте его и повторите попытку.',
    },
    help: {
      en: 'Ask for the current password again.',
      uk: 'Запитайте поточний пароль ще раз.',
      ru: 'Запросите текущий пароль еще раз.',
    },
  },
  password_change_conflict: {
    status: 409,
    detail: {
      en: 'Another request changed the password or ended the session at the same time. Sign in again.',
      uk: 'Інший запит одночасно змінив пароль або завершив сеанс. Увійдіть ще раз.',
      ru: 'Другой запрос одновременно изменил пароль или завершил сеанс. Войдите снова.',
    },
    help: {
      en: 'Sign in again before changing the password.',
      uk: 'Увійдіть ще раз, перш ніж змінювати пароль.',
      ru: 'Войдите снова, прежде чем менять пароль.',
    },
  },
  recent_sign_in_required: {
    status: 403,
    detail: {
      en: 'The account has no password, so this requires a sign-in within the last 10 minutes. Sign in again.',
      uk: 'Обліковий запис не має пароля, тому потрібен вхід не більш як 10 хвилин тому. Увійдіть ще раз.',
      ru: 'У учетной записи нет пароля, поэтому нужен вход не более 10 минут назад. Войдите снова.',
    },
    help: {
      en: 'Sign in with the identity provider again, and repeat the request with the new session.',
      uk: 'Увійдіть через постачальника ідентифікації ще раз і повторіть запит із новим сеансом.',
      ru: 'Войдите через поставщика удостоверений снова и повторите запрос с новым сеансом.',
    },
  },
  password_reset_unavailable: {
    status: 503,
    detail: {
      en: 'Passwords cannot be reset by email at the moment. Try again later.',
      uk: 'Наразі неможливо скинути пароль електронною поштою. Спробуйте пізніше.',
      ru: 'Сейчас невозможно сбросить пароль по электронной почте. Попробуйте позже.',
    },
    help: {
      en: 'Try again later, or contact support: email is not configured.',
      uk: 'Спробуйте пізніше або зверніться до служби підтримки: пошту не налаштовано.',
      ru: 'Попробуйте позже или обратитесь в службу поддержки: почта не настроена.',
    },
  },
  password_reset_link_invalid: {
    status: 400,
    detail: {
      en: 'The link is unknown, was already used, or has expired. Request a new one.',
      uk: 'Посилання невідоме, уже використане або прострочене. Запросіть нове.',
      ru: 'Ссылка неизвестна, уже использована или просрочена. Запросите новую.',
    },
    help: {
      en: 'Request a new link for the address of the account.',
      uk: 'Запросіть нове посилання на адресу облікового запису.',
      ru: 'Запросите новую ссылку на адрес учетной записи.',
    },
  },
  session_not_found: {
    status: 404,
    detail: {
      en: 'Session not found. It may have ended.',
      uk: 'Сеанс не знайдено. Можливо, він завершився.',
      ru: 'Сеанс не найден. Возможно, он завершен.',
    },
    help: {
      en: 'Use an id from the list of sessions.',
      uk: 'Використайте ідентифікатор зі списку сеансів.',
      ru: 'Используйте идентификатор из списка сеансов.',
    },
  },
  api_key_not_found: {
    status: 404,
    detail: {
      en: 'API key not found. Use an id from the list of keys.',
      uk: 'Ключ API не знайдено. Використайте ідентифікатор зі списку ключів.',
      ru: 'Ключ API не найден. Используйте идентификатор из списка ключей.',
    },
    help: {
      en: 'Use an id from the list of keys.',
      uk: 'Використайте ідентифікатор зі списку ключів.',
      ru: 'Используйте идентификатор из списка ключей.',
    },
  },
  api_key_revoked: {
    status: 403,
    detail: {
      en: 'An administrator revoked this API key, so it cannot be enabled or deleted. Create a new one.',
      uk: 'Адміністратор відкликав цей ключ API, тому його не можна ввімкнути чи видалити. Створіть новий.',
      ru: 'Администратор отозвал этот ключ API, поэтому его нельзя включить или удалить. Создайте новый.',
    },
    help: { en: 'Create a new key.', uk: 'Створіть новий ключ.', ru: 'Создайте новый ключ.' },
  },
  too_many_api_keys: withFacts({
    status: 409,
    detail: {
      en: ({ keys_max }: { keys_max: number }) =>
        `An account can have up to ${countText('en', keys_max, 'api_key')}. Delete one before you create another.`,
      uk: ({ keys_max }) =>
        `Обліковий запис може мати щонайбільше ${countText('uk', keys_max, 'api_key')}. Видаліть один, перш ніж створити інший.`,
      ru: ({ keys_max }) =>
        `Учетная запись может иметь максимум ${countText('ru', keys_max, 'api_key')}. Удалите один, прежде чем создать другой.`,
    },
    example: { keys_max: 100 },
    help: {
      en: 'Delete a key that is no longer used.',
      uk: 'Видаліть ключ, який більше не використовується.',
      ru: 'Удалите ключ, который больше не используется.',
    },
  }),
} as const satisfies Record<string, ErrorEntry>
