/** A bot without a server: the edge links to it and accepts its updates. */
export const BOT = { id: 1, username: 'round_bot', token: '1:requests', secret: 'sixteen-letters-or-more' }

/** Edge settings that accept updates for the bot. The bot's replies go to a closed port. */
export const MESSENGER = { MESSENGER_BOTS: JSON.stringify([BOT]), TELEGRAM_API_URL: 'http://127.0.0.1:9' }
