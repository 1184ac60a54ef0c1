/** A bot that nobody answers for: links to it are made, and its messages are taken. */
export const BOT = { id: 1, username: 'round_bot', token: '1:requests', secret: 'sixteen-letters-or-more' }

/** Settings of the edge by which messages to the bot are taken; what it says leads nowhere. */
export const MESSENGER = { MESSENGER_BOTS: JSON.stringify([BOT]), TELEGRAM_API_URL: 'http://127.0.0.1:9' }
