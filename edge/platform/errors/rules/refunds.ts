import type { ErrorEntry } from './entry.ts'

/** Errors for refunds and withdrawals. */
export const REFUND_ERRORS = {
  refunds_disabled: {
    status: 409,
    shape: 'object',
    detail: {
      en: 'Refunds by our own policy are not available at the moment. Withdraw from the purchase within its statutory period, or try again later.',
      uk: 'Повернення коштів за нашими правилами наразі недоступне. Відмовтеся від договору в межах законного строку або спробуйте пізніше.',
      ru: 'Возврат средств по нашим правилам сейчас недоступен. Откажитесь от договора в пределах законного срока или попробуйте позже.',
    },
    help: {
      en: 'Offer only the withdrawal while refunds are disabled.',
      uk: 'Пропонуйте лише відмову від договору, доки повернення коштів вимкнено.',
      ru: 'Предлагайте только отказ от договора, пока возврат средств отключен.',
    },
  },
  not_settled: {
    status: 409,
    shape: 'object',
    detail: {
      en: 'The order was not paid. There is nothing to refund.',
      uk: 'Замовлення не оплачено. Повертати нічого.',
      ru: 'Заказ не оплачен. Возвращать нечего.',
    },
    help: {
      en: 'Read the state of the order.',
      uk: 'Перегляньте стан замовлення.',
      ru: 'Посмотрите состояние заказа.',
    },
  },
  window_closed: {
    status: 409,
    shape: 'object',
    detail: {
      en: 'The refund deadline of this order has passed. The refund quote shows the deadlines.',
      uk: 'Строк повернення коштів за це замовлення минув. Строки показано в розрахунку повернення.',
      ru: 'Срок возврата средств за этот заказ истек. Сроки показаны в расчете возврата.',
    },
    help: {
      en: 'Read deadline and withdrawal_deadline in the quote first.',
      uk: 'Спершу прочитайте deadline і withdrawal_deadline у розрахунку.',
      ru: 'Сначала прочитайте deadline и withdrawal_deadline в расчете.',
    },
  },
  nothing_left: {
    status: 409,
    shape: 'object',
    detail: {
      en: 'All credits of this order are spent or have expired. There is nothing to refund.',
      uk: 'Усі бонуси цього замовлення витрачено або строк їх дії минув. Повертати нічого.',
      ru: 'Все бонусы этого заказа потрачены или срок их действия истек. Возвращать нечего.',
    },
    help: {
      en: 'Read the quote before offering a refund.',
      uk: 'Прочитайте розрахунок, перш ніж пропонувати повернення.',
      ru: 'Прочитайте расчет, прежде чем предлагать возврат.',
    },
  },
  already_open: {
    status: 409,
    shape: 'object',
    detail: {
      en: 'A refund of this order is in progress. Wait for its outcome.',
      uk: 'Повернення коштів за це замовлення вже триває. Дочекайтеся результату.',
      ru: 'Возврат средств за этот заказ уже выполняется. Дождитесь результата.',
    },
    help: {
      en: 'Read open_refund_id in the quote.',
      uk: 'Прочитайте open_refund_id у розрахунку.',
      ru: 'Прочитайте open_refund_id в расчете.',
    },
  },
  fully_refunded: {
    status: 409,
    shape: 'object',
    detail: {
      en: 'The order was refunded in full. There is nothing left to refund.',
      uk: 'Кошти за замовлення повернуто повністю. Повертати більше нічого.',
      ru: 'Средства за заказ возвращены полностью. Возвращать больше нечего.',
    },
    help: {
      en: 'Read the state of the order.',
      uk: 'Перегляньте стан замовлення.',
      ru: 'Посмотрите состояние заказа.',
    },
  },
  withdrawal_not_found: {
    status: 404,
    detail: {
      en: 'Withdrawal from the purchase not found. Check its id, or start the withdrawal again.',
      uk: 'Відмову від договору не знайдено. Перевірте її ідентифікатор або почніть оформлення відмови ще раз.',
      ru: 'Отказ от договора не найден. Проверьте его идентификатор или начните оформление отказа еще раз.',
    },
    help: {
      en: 'Start the withdrawal again.',
      uk: 'Почніть оформлення відмови ще раз.',
      ru: 'Начните оформление отказа еще раз.',
    },
  },
  already_confirmed: {
    status: 409,
    shape: 'object',
    detail: {
      en: 'The withdrawal from the purchase was already confirmed, but its refund failed. Start the withdrawal again.',
      uk: 'Відмову від договору вже підтверджено, але повернути кошти не вдалося. Почніть оформлення відмови ще раз.',
      ru: 'Отказ от договора уже подтвержден, но вернуть средства не удалось. Начните оформление отказа еще раз.',
    },
    help: {
      en: 'Start the withdrawal again.',
      uk: 'Почніть оформлення відмови ще раз.',
      ru: 'Начните оформление отказа еще раз.',
    },
  },
} as const satisfies Record<string, ErrorEntry>
