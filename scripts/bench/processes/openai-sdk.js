/** The minimal client with the usual library. `node openai-sdk.js <base-url>` */
import OpenAI from 'openai';

const client = new OpenAI({baseURL: process.argv[2], apiKey: 'bench'});
const stream = await client.chat.completions.create({
	model: 'bench',
	stream: true,
	messages: [{role: 'user', content: 'Hello'}],
});
for await (const chunk of stream) process.stdout.write(chunk.choices[0]?.delta.content ?? '');
