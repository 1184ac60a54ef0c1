import { countText } from '../../../../shared/text/words.ts'
import { type ErrorEntry, withFacts } from './entry.ts'

/** Errors for the administrator endpoints. */
export const ADMINISTRATION_ERRORS = {
  own_rights_locked: {
    status: 409,
    detail: {
      en: 'Administrators cannot block themselves or remove their own rights. Ask another administrator.',
      uk: 'Адміністратор не може заблокувати себе або позбавити себе прав. Зверніться до іншого адміністратора.',
      ru: 'Администратор не может заблокировать себя или лишить себя прав. Обратитесь к другому администратору.',
    },
    help: {
      en: 'Ask another administrator.',
      uk: 'Зверніться до іншого адміністратора.',
      ru: 'Обратитесь к другому администратору.',
    },
  },
  administrator_elsewhere: {
    status: 409,
    detail: {
      en: 'Administrators must be in the first database. Move the account there first.',
      uk: 'Адміністратори мають бути в першій базі даних. Спершу перенесіть туди обліковий запис.',
      ru: 'Администраторы должны быть в первой базе данных. Сначала перенесите туда учетную запись.',
    },
    help: {
      en: 'Move the account to the first database with ops move-account.',
      uk: 'Перенесіть обліковий запис до першої бази даних командою ops move-account.',
      ru: 'Перенесите учетную запись в первую базу данных командой ops move-account.',
    },
  },
  operation_not_found: {
    status: 404,
    detail: {
      en: 'Operation not found. Use an id from the list of operations.',
      uk: 'Операцію не знайдено. Використайте ідентифікатор зі списку операцій.',
      ru: 'Операция не найдена. Используйте идентификатор из списка операций.',
    },
    help: {
      en: 'Use an id from the list of operations.',
      uk: 'Використайте ідентифікатор зі списку операцій.',
      ru: 'Используйте идентификатор из списка операций.',
    },
  },
  slug_taken: withFacts({
    status: 409,
    shape: 'object',
    detail: {
      en: ({ slug }: { slug: string }) => `Another plan has the slug ${slug}. Choose a different one.`,
      uk: ({ slug }) => `Інший тариф уже має slug ${slug}. Виберіть інший.`,
      ru: ({ slug }) => `У другого тарифа уже есть slug ${slug}. Выберите другой.`,
    },
    example: { slug: 'pro' },
    help: { en: 'Choose a different slug.', uk: 'Виберіть інший slug.', ru: 'Выберите другой slug.' },
  }),
  promotion_not_found: {
    status: 404,
    detail: {
      en: 'Promotion not found. Use an id from the list of promotions.',
      uk: 'Акцію не знайдено. Використайте ідентифікатор зі списку акцій.',
      ru: 'Акция не найдена. Используйте идентификатор из списка акций.',
    },
    help: {
      en: 'Use an id from the list of promotions.',
      uk: 'Використайте ідентифікатор зі списку акцій.',
      ru: 'Используйте идентификатор из списка акций.',
    },
  },
  promotion_over: {
    status: 409,
    shape: 'object',
    detail: {
      en: 'The promotion is over. Create a new one.',
      uk: 'Акцію завершено. Створіть нову.',
      ru: 'Акция завершена. Создайте новую.',
    },
    help: { en: 'Create a new promotion.', uk: 'Створіть нову акцію.', ru: 'Создайте новую акцию.' },
  },
  promotion_begun: {
    status: 409,
    shape: 'object',
    detail: {
      en: 'The promotion has started. You can only set an earlier end.',
      uk: 'Акція вже почалася. Можна лише вказати раніше завершення.',
      ru: 'Акция уже началась. Можно только указать более раннее окончание.',
    },
    help: {
      en: 'Set an earlier end, or create another promotion.',
      uk: 'Укажіть раніше завершення або створіть іншу акцію.',
      ru: 'Укажите более раннее окончание или создайте другую акцию.',
    },
  },
  promotion_overlaps: {
    status: 409,
    shape: 'object',
    detail: {
      en: 'Another promotion for this item runs at that time. Choose other dates.',
      uk: 'У цей час діє інша акція для цього товару. Виберіть інші дати.',
      ru: 'В это время действует другая акция для этого товара. Выберите другие даты.',
    },
    help: {
      en: 'Choose other dates, or retire the other promotion.',
      uk: 'Виберіть інші дати або завершіть іншу акцію.',
      ru: 'Выберите другие даты или завершите другую акцию.',
    },
  },
  order_not_partially_paid: withFacts({
    status: 409,
    detail: {
      en: ({ status }: { status: string }) =>
        `Only a payment with the status partially_paid can be resolved; this one is ${status}.`,
      uk: ({ status }) => `Вирішити можна лише платіж зі станом partially_paid; стан цього — ${status}.`,
      ru: ({ status }) =>
        `Решить можно только платеж с состоянием partially_paid; состояние этого — ${status}.`,
    },
    example: { status: 'paid' },
    help: { en: 'Reload the payment.', uk: 'Оновіть дані платежу.', ru: 'Обновите данные платежа.' },
  }),
  order_has_no_surplus: {
    status: 409,
    detail: {
      en: 'The order has no surplus: it delivered for all money that arrived.',
      uk: 'У замовленні немає переплати: за всі отримані гроші вже нараховано бонуси.',
      ru: 'В заказе нет переплаты: за все полученные деньги уже начислены бонусы.',
    },
    help: { en: 'Reload the payment.', uk: 'Оновіть дані платежу.', ru: 'Обновите данные платежа.' },
  },
  payment_below_one_credit: {
    status: 409,
    detail: {
      en: 'The payment covers less than one credit of an ordered item. Refuse it, or grant the order in full.',
      uk: 'Платіж покриває менше одного бонусу замовленого товару. Відхиліть його або зарахуйте замовлення повністю.',
      ru: 'Платеж покрывает меньше одного бонуса заказанного товара. Отклоните его или зачислите заказ полностью.',
    },
    help: {
      en: 'Choose the action refuse or full_grant; for a surplus, return_surplus.',
      uk: 'Виберіть дію refuse або full_grant, а для переплати — return_surplus.',
      ru: 'Выберите действие refuse или full_grant, а для переплаты — return_surplus.',
    },
  },
  refund_not_found: {
    status: 404,
    detail: {
      en: 'Refund not found. Use an id from the list of refunds.',
      uk: 'Повернення не знайдено. Використайте ідентифікатор зі списку повернень.',
      ru: 'Возврат не найден. Используйте идентификатор из списка возвратов.',
    },
    help: {
      en: 'Use an id from the list of refunds.',
      uk: 'Використайте ідентифікатор зі списку повернень.',
      ru: 'Используйте идентификатор из списка возвратов.',
    },
  },
  refund_not_awaiting_payout: withFacts({
    status: 409,
    detail: {
      en: ({ status }: { status: string }) =>
        `The refund has the status ${status}. Only a refund with the status awaiting_payout can be resolved.`,
      uk: ({ status }) =>
        `Стан повернення — ${status}. Вирішити можна лише повернення зі станом awaiting_payout.`,
      ru: ({ status }) =>
        `Состояние возврата — ${status}. Решить можно только возврат с состоянием awaiting_payout.`,
    },
    example: { status: 'succeeded' },
    help: { en: 'Reload the refund.', uk: 'Оновіть дані повернення.', ru: 'Обновите данные возврата.' },
  }),
  removal_exceeds_balance: withFacts({
    status: 409,
    detail: {
      en: ({ balance }: { balance: number }) =>
        `The balance is ${countText('en', balance, 'credit')}. Remove at most that many.`,
      uk: ({ balance }) =>
        `На балансі ${countText('uk', balance, 'credit')}. Спишіть не більше цієї кількості.`,
      ru: ({ balance }) =>
        `На балансе ${countText('ru', balance, 'credit')}. Спишите не больше этого количества.`,
    },
    example: { balance: 20 },
    help: {
      en: 'Remove at most the balance.',
      uk: 'Спишіть не більше, ніж є на балансі.',
      ru: 'Спишите не больше, чем есть на балансе.',
    },
  }),
  event_not_found: {
    status: 404,
    detail: {
      en: 'Event not found. Use an id from the list of unmatched events.',
      uk: 'Подію не знайдено. Використайте ідентифікатор зі списку нерозпізнаних подій.',
      ru: 'Событие не найдено. Используйте идентификатор из списка неопознанных событий.',
    },
    help: {
      en: 'Use an id from the list of unmatched events.',
      uk: 'Використайте ідентифікатор зі списку нерозпізнаних подій.',
      ru: 'Используйте идентификатор из списка неопознанных событий.',
    },
  },
  payback_in_progress: {
    status: 409,
    detail: {
      en: 'The payment provider is paying back this money. Wait for the outcome.',
      uk: 'Платіжний сервіс повертає ці гроші. Дочекайтеся результату.',
      ru: 'Платежный сервис возвращает эти деньги. Дождитесь результата.',
    },
    help: {
      en: 'Wait until payback of the event is succeeded or failed.',
      uk: 'Дочекайтеся, доки payback події стане succeeded або failed.',
      ru: 'Дождитесь, пока payback события станет succeeded или failed.',
    },
  },
  event_already_settled: withFacts({
    status: 409,
    detail: {
      en: ({ outcome }: { outcome: string }) =>
        `The event was already settled as ${outcome}. Only open events can be settled.`,
      uk: ({ outcome }) => `Подію вже вирішено: ${outcome}. Вирішити можна лише відкриті події.`,
      ru: ({ outcome }) => `Событие уже решено: ${outcome}. Решить можно только открытые события.`,
    },
    example: { outcome: 'granted' },
    help: { en: 'Reload the event.', uk: 'Оновіть дані події.', ru: 'Обновите данные события.' },
  }),
  mail_not_configured: {
    status: 409,
    detail: {
      en: 'No mail server is configured. Set SMTP_HOST first.',
      uk: 'Поштовий сервер не налаштовано. Спершу вкажіть SMTP_HOST.',
      ru: 'Почтовый сервер не настроен. Сначала укажите SMTP_HOST.',
    },
    help: { en: 'Set SMTP_HOST.', uk: 'Укажіть SMTP_HOST.', ru: 'Укажите SMTP_HOST.' },
  },
} as const satisfies Record<string, ErrorEntry>
