/**
 * The text of a scenario file, YAML or JSON, as a scenario. A mistake is reported with its place.
 */
import {ChatError} from '../../errors.ts';
import {isJsonObject} from '../../json.ts';
import {check} from '../check.ts';
import {ServiceError} from '../service-error.ts';

import {readYaml} from './read-yaml.ts';

import {type Scenario, scenario} from './scenario-schema.ts';

/**
 * @param name What the text is called in messages, such as its path.
 * @throws {ChatError} `data` for the first mistake: with line and column if it is one of YAML, else
 * with the path of the value (`replies[2].fault.status`) and its line.
 */
export async function parseScenario(text: string, name: string): Promise<Scenario> {
	const {value, lineOf} = await readYaml(text, name);
	if (!isJsonObject(value)) {
		const message = 'a scenario is an object with the key replies, a list of rules';
		throw new ChatError('data', `${name}: ${message}`);
	}
	try {
		return check(scenario, value);
	} catch (error) {
		if (!(error instanceof ServiceError)) throw error;
		const line = lineOf(error.details.param ?? '');
		const place = line === undefined ? '' : ` (line ${line})`;
		throw new ChatError('data', `${name}: ${error.message}${place}`);
	}
}
