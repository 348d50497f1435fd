/**
 * The text of a scenario file, YAML or JSON, as a scenario. Every mistake is told with its place.
 */
import {ChatError} from '../../errors.ts';
import {ServiceError} from '../service-error.ts';
import {checkScenario} from './check-scenario.ts';
import {readYaml} from './read-yaml.ts';
import type {Scenario} from './scenario.ts';

/**
 * @param name What the text is called in messages, such as its path.
 * @throws {ChatError} `data` for the first mistake: with line and column if it is one of YAML, else
 * with the path of the value (`replies[2].fault.status`) and its line.
 */
export async function parseScenario(text: string, name: string): Promise<Scenario> {
	const {value, lineOf} = await readYaml(text, name);
	try {
		return checkScenario(value);
	} catch (error) {
		if (!(error instanceof ServiceError)) throw error;
		const line = lineOf(error.details.param ?? '');
		const place = line === undefined ? '' : ` (line ${line})`;
		throw new ChatError('data', `${name}: ${error.message}${place}`);
	}
}
