import type { Texts } from '../../../../shared/text/texts.ts'
import { listAny } from '../../../../shared/text/words.ts'
import { type ErrorEntry, withFacts } from './entry.ts'

/** Subjects of consent, worded to follow "agree" and "ваша згода". */
const CONSENTS = {
  accept_documents: {
    en: 'to the purchase documents',
    uk: 'з документами про купівлю',
    ru: 'с документами о покупке',
  },
  accept_immediate: {
    en: 'to immediate delivery',
    uk: 'на негайне надання послуги',
    ru: 'на немедленное оказание услуги',
  },
  accept_recurring: {
    en: 'to recurring charges',
    uk: 'на регулярні списання',
    ru: 'на регулярные списания',
  },
} satisfies Record<string, Texts>
export type ConsentField = keyof typeof CONSENTS

const OBSTACLES = {
  renewal_disabled: {
    en: 'Plans that renew automatically are not on sale',
    uk: 'Тарифи з автоматичним поновленням не продаються',
    ru: 'Тарифы с автоматическим продлением не продаются',
  },
  provider_cannot_renew: {
    en: 'This payment method cannot be charged again automatically',
    uk: 'Із цього способу оплати неможливо списувати автоматично',
    ru: 'С этого способа оплаты невозможно списывать автоматически',
  },
  bundle: {
    en: 'A bundle does not renew automatically',
    uk: 'Комплект не поновлюється автоматично',
    ru: 'Комплект не продлевается автоматически',
  },
  term_running: {
    en: 'A paid term is already running',
    uk: 'Оплачений період уже діє',
    ru: 'Оплаченный период уже действует',
  },
} satisfies Record<string, Texts>
export type RenewalObstacle = keyof typeof OBSTACLES

export interface MonthFacts {
  plan: string
  offered: readonly number[]
  months: number
}

export interface ProviderFacts {
  /** Null means the default provider. */
  provider: string | null
  open: readonly string[]
}

/** Errors for orders, payments and subscriptions. */
export const MONEY_ERRORS = {
  payments_not_enabled: {
    status: 403,
    detail: {
      en: 'payments are not enabled for this account yet',
      uk: 'Оплату для цього облікового запису ще не ввімкнено.',
      ru: 'Оплата для этой учетной записи еще не включена.',
    },
    literal: true,
    help: {
      en: 'Hide the shop: the lists of plans and packages are empty until payments are enabled.',
      uk: 'Сховайте магазин: списки тарифів і пакетів бонусів порожні, доки оплату не ввімкнено.',
      ru: 'Скройте магазин: списки тарифов и пакетов бонусов пусты, пока оплата не включена.',
    },
  },
  consent_required: withFacts({
    status: 400,
    detail: {
      en: ({ param }: { param: ConsentField }) =>
        `${param} must be true. You must agree ${CONSENTS[param].en}.`,
      uk: ({ param }) => `Поле ${param} має бути true. Потрібна ваша згода ${CONSENTS[param].uk}.`,
      ru: ({ param }) => `Поле ${param} должно быть true. Требуется ваше согласие ${CONSENTS[param].ru}.`,
    },
    example: { param: 'accept_documents' },
    help: {
      en: 'Show the checkbox, and send true once it is checked.',
      uk: 'Покажіть прапорець і надішліть true, коли його встановлено.',
      ru: 'Покажите флажок и отправьте true, когда он установлен.',
    },
  }),
  plan_not_found: {
    status: 404,
    detail: {
      en: 'Plan not found. Use the id of a listed plan.',
      uk: 'Тариф не знайдено. Використайте ідентифікатор тарифу зі списку.',
      ru: 'Тариф не найден. Используйте идентификатор тарифа из списка.',
    },
    help: {
      en: 'Use an id from GET /api/v1/public/pricing.',
      uk: 'Використайте ідентифікатор із GET /api/v1/public/pricing.',
      ru: 'Используйте идентификатор из GET /api/v1/public/pricing.',
    },
  },
  package_not_found: {
    status: 404,
    detail: {
      en: 'Package not found. Use the id of a listed package.',
      uk: 'Пакет бонусів не знайдено. Використайте ідентифікатор пакета зі списку.',
      ru: 'Пакет бонусов не найден. Используйте идентификатор пакета из списка.',
    },
    help: {
      en: 'Use an id from GET /api/v1/public/pricing.',
      uk: 'Використайте ідентифікатор із GET /api/v1/public/pricing.',
      ru: 'Используйте идентификатор из GET /api/v1/public/pricing.',
    },
  },
  months_not_offered: withFacts({
    status: 400,
    detail: {
      en: ({ plan, offered, months }: MonthFacts) =>
        `For the ${plan} plan, months must be ${listAny('en', offered.map(String))}, not ${months}.`,
      uk: ({ plan, offered, months }) =>
        `Для тарифу ${plan} значення months має бути одним із: ${offered.join(', ')}; отримано ${months}.`,
      ru: ({ plan, offered, months }) =>
        `Для тарифа ${plan} значение months должно быть одним из: ${offered.join(', ')}; получено ${months}.`,
    },
    example: { plan: 'Pro', offered: [1, 12], months: 5 },
    help: {
      en: 'Use a term that GET /api/v1/public/pricing shows for the plan.',
      uk: 'Використайте період, указаний для тарифу в GET /api/v1/public/pricing.',
      ru: 'Используйте период, указанный для тарифа в GET /api/v1/public/pricing.',
    },
  }),
  payment_provider_closed: withFacts({
    status: 400,
    detail: {
      en: ({ provider, open }: ProviderFacts) =>
        `${provider === null ? 'The default payment provider' : `Payment provider ${provider}`} is not accepting payments. ${open.length === 0 ? 'None is open at the moment.' : `Use ${listAny('en', open)}.`}`,
      uk: ({ provider, open }) =>
        `Платіжна система ${provider ?? 'за замовчуванням'} не приймає платежів. ${open.length === 0 ? 'Наразі жодна не працює.' : `Використайте ${listAny('uk', open)}.`}`,
      ru: ({ provider, open }) =>
        `Платежная система ${provider ?? 'по умолчанию'} не принимает платежи. ${open.length === 0 ? 'Сейчас ни одна не работает.' : `Используйте ${listAny('ru', open)}.`}`,
    },
    example: { provider: 'crypto', open: ['card'] },
    help: {
      en: 'Use a provider from GET /api/v1/billing/providers.',
      uk: 'Використайте платіжну систему з GET /api/v1/billing/providers.',
      ru: 'Используйте платежную систему из GET /api/v1/billing/providers.',
    },
  }),
  payment_provider_not_found: {
    status: 404,
    detail: {
      en: 'Payment provider not found. Check the address of the webhook.',
      uk: 'Платіжну систему не знайдено. Перевірте адресу вебхука.',
      ru: 'Платежная система не найдена. Проверьте адрес вебхука.',
    },
    help: {
      en: 'At the provider, configure the webhook URL that the API reference shows.',
      uk: 'Налаштуйте в платіжній системі URL вебхука, указаний у довіднику API.',
      ru: 'Настройте в платежной системе URL вебхука, указанный в справочнике API.',
    },
  },
  payment_provider_unavailable: {
    status: 502,
    detail: {
      en: 'The payment provider could not be reached, and nothing was charged. Try again later.',
      uk: 'Платіжна система недоступна, нічого не списано. Спробуйте пізніше.',
      ru: 'Платежная система недоступна, ничего не списано. Попробуйте позже.',
    },
    help: {
      en: 'Try again with exponential backoff.',
      uk: 'Повторюйте спроби з експоненційною затримкою.',
      ru: 'Повторяйте попытки с экспоненциальной задержкой.',
    },
  },
  unreadable_event: {
    status: 422,
    detail: {
      en: 'The signed event does not match the documented format. Check the API version at the provider.',
      uk: 'Підписана подія не відповідає задокументованому формату. Перевірте версію API в платіжній системі.',
      ru: 'Подписанное событие не соответствует документированному формату. Проверьте версию API в платежной системе.',
    },
    help: {
      en: 'Check the API version of the webhook at the provider.',
      uk: 'Перевірте версію API вебхука в платіжній системі.',
      ru: 'Проверьте версию API вебхука в платежной системе.',
    },
  },
  order_not_found: {
    status: 404,
    detail: {
      en: 'Order not found. Check its id.',
      uk: 'Замовлення не знайдено. Перевірте його ідентифікатор.',
      ru: 'Заказ не найден. Проверьте его идентификатор.',
    },
    help: {
      en: 'Use an id from the list of orders.',
      uk: 'Використайте ідентифікатор зі списку замовлень.',
      ru: 'Используйте идентификатор из списка заказов.',
    },
  },
  receipt_not_found: {
    status: 404,
    detail: {
      en: 'Receipt not found. Check that you copied the whole URL.',
      uk: 'Квитанцію не знайдено. Перевірте, чи скопійовано весь URL.',
      ru: 'Квитанция не найдена. Проверьте, что скопирован весь URL.',
    },
    help: {
      en: 'Use the `receipt_url` of an order or the `credit_note_url` of a refund.',
      uk: 'Використайте `receipt_url` замовлення або `credit_note_url` повернення.',
      ru: 'Используйте `receipt_url` заказа или `credit_note_url` возврата.',
    },
  },
  invoice_not_found: {
    status: 404,
    detail: {
      en: 'No reseller issued an invoice for this receipt.',
      uk: 'Для цієї квитанції немає рахунку реселера.',
      ru: 'Для этой квитанции нет счета реселлера.',
    },
    help: {
      en: 'Use the receipt itself.',
      uk: 'Використайте саму квитанцію.',
      ru: 'Используйте саму квитанцию.',
    },
  },
  too_many_unpaid_orders: withFacts({
    status: 429,
    detail: {
      en: ({ waiting }: { waiting: number }) =>
        `${waiting} orders are waiting to be paid. Pay one of them, or wait until one expires.`,
      uk: ({ waiting }) =>
        `Замовлень, що очікують на оплату: ${waiting}. Оплатіть одне з них або зачекайте, доки для якогось мине строк оплати.`,
      ru: ({ waiting }) =>
        `Заказов, ожидающих оплаты: ${waiting}. Оплатите один из них или подождите, пока для какого-либо истечет срок оплаты.`,
    },
    example: { waiting: 50 },
    retry_after_seconds: 3600,
    help: {
      en: 'Pay an open order, or wait until one expires.',
      uk: 'Оплатіть відкрите замовлення або дочекайтеся, доки мине його строк.',
      ru: 'Оплатите открытый заказ или дождитесь, пока истечет его срок.',
    },
  }),
  subscription_required: {
    status: 409,
    shape: 'object',
    detail: {
      en: 'Packages require an active plan. Subscribe to a plan first.',
      uk: 'Для пакетів бонусів потрібен чинний тариф. Спершу оформте тариф.',
      ru: 'Для пакетов бонусов нужен действующий тариф. Сначала оформите тариф.',
    },
    help: {
      en: 'Offer a plan first.',
      uk: 'Спершу запропонуйте тариф.',
      ru: 'Сначала предложите тариф.',
    },
  },
  recurring_unavailable: withFacts({
    status: 409,
    shape: 'object',
    detail: {
      en: ({ obstacle }: { obstacle: RenewalObstacle }) =>
        `${OBSTACLES[obstacle].en}. Order with auto_renew set to false.`,
      uk: ({ obstacle }) => `${OBSTACLES[obstacle].uk}. Оформте замовлення з auto_renew: false.`,
      ru: ({ obstacle }) => `${OBSTACLES[obstacle].ru}. Оформите заказ с auto_renew: false.`,
    },
    example: { obstacle: 'bundle' },
    help: {
      en: 'Order with auto_renew set to false.',
      uk: 'Оформте замовлення з auto_renew: false.',
      ru: 'Оформите заказ с auto_renew: false.',
    },
  }),
  another_plan_running: withFacts({
    status: 409,
    detail: {
      en: ({ plan }: { plan: string }) =>
        `Your ${plan} plan is still active. Buy another plan after it ends.`,
      uk: ({ plan }) => `Ваш тариф ${plan} ще діє. Придбайте інший тариф після його завершення.`,
      ru: ({ plan }) => `Ваш тариф ${plan} еще действует. Купите другой тариф после его окончания.`,
    },
    example: { plan: 'Pro' },
    help: {
      en: 'Extend the active plan, or wait until it ends.',
      uk: 'Подовжте чинний тариф або дочекайтеся його завершення.',
      ru: 'Продлите действующий тариф или дождитесь его окончания.',
    },
  }),
  not_recurring: {
    status: 409,
    shape: 'object',
    detail: {
      en: 'You have no plan that renews automatically.',
      uk: 'У вас немає тарифу з автоматичним поновленням.',
      ru: 'У вас нет тарифа с автоматическим продлением.',
    },
    help: {
      en: 'Reload the subscription.',
      uk: 'Оновіть дані підписки.',
      ru: 'Обновите данные подписки.',
    },
  },
  renewal_link_not_found: {
    status: 404,
    detail: {
      en: 'Link not found. Check that you copied the whole URL.',
      uk: 'Посилання не знайдено. Перевірте, чи скопійовано весь URL.',
      ru: 'Ссылка не найдена. Проверьте, что скопирован весь URL.',
    },
    help: {
      en: 'Open the link from the latest email.',
      uk: 'Відкрийте посилання з останнього листа.',
      ru: 'Откройте ссылку из последнего письма.',
    },
  },
} as const satisfies Record<string, ErrorEntry>
