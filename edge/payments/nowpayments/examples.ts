/**
 * NOWPayments events, as documented under "Webhooks Examples" and "Get payment status":
 * https://documenter.getpostman.com/view/7907941/2s93JusNJt. The order and invoice ids are ours.
 */
export const FINISHED = {
  payment_id: 123456789,
  parent_payment_id: null as number | null,
  invoice_id: 4522625843 as number | null,
  payment_status: 'finished',
  pay_address: 'address',
  payin_extra_id: null,
  price_amount: 1,
  price_currency: 'usd',
  pay_amount: 15,
  actually_paid: 15,
  actually_paid_at_fiat: 0,
  pay_currency: 'trx',
  order_id: 'ord_example' as string | null,
  order_description: null,
  purchase_id: '123456789',
  outcome_amount: 14.8106,
  outcome_currency: 'trx',
  payment_extra_ids: null as number[] | null,
  fee: { currency: 'btc', depositFee: 0.09853637216235617, withdrawalFee: 0, serviceFee: 0 },
}

/** A polled payment, with numbers as received. The customer paid more than requested. */
export const OVERPAID = {
  payment_id: 5524759814,
  payment_status: 'finished',
  pay_address: 'TNDFkiSmBQorNFacb3735q8MnT29sn8BLn',
  price_amount: 5,
  price_currency: 'usd',
  pay_amount: 165.652609,
  actually_paid: 180,
  pay_currency: 'trx',
  order_id: 'RGDBP-21314',
  order_description: 'Apple Macbook Pro 2019 x 1',
  purchase_id: '4944856743',
  created_at: '2020-12-16T14:30:43.306Z',
  updated_at: '2020-12-16T14:40:46.523Z',
  outcome_amount: 178.9005,
  outcome_currency: 'trx',
}
