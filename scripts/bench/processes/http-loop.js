/**
 * The smallest possible client: reads a stream and writes its text, one write per read.
 *
 * `node http-loop.js <base-url> [--ask]`; `--ask` waits for a line first, and keeps running.
 */
import {createParser} from 'eventsource-parser';

// An `import` would load undici on Node 24.
const {request} = process.getBuiltinModule('node:http');
const decoder = new TextDecoder();
let text = '';
const parser = createParser({
	onEvent({data}) {
		if (data === '[DONE]') return;
		text += JSON.parse(data).choices[0]?.delta.content ?? '';
	},
});
const body = JSON.stringify({model: 'bench', stream: true, messages: []});
const headers = {'content-type': 'application/json', 'content-length': Buffer.byteLength(body)};
const url = `${process.argv[2]}/chat/completions`;

function ask() {
	request(url, {method: 'POST', headers}, (response) => {
		response.on('data', (bytes) => {
			parser.feed(decoder.decode(bytes, {stream: true}));
			if (text !== '') process.stdout.write(text);
			text = '';
		});
	}).end(body);
}

if (process.argv[3] === '--ask') {
	process.stdin.once('data', ask);
	process.stdout.write('> ');
} else ask();
