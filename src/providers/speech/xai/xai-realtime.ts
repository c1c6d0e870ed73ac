// xAI speaks OpenAI's protocol, through the same class, with the same weakness.
import '../openai/realtime-connection.js';

export { realtime } from '@livekit/agents-plugin-xai';
