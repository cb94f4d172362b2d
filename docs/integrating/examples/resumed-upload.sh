# Sends the rest of a file whose upload was cut off. Variables: url and token of the ticket, and the file.
offset=$(curl -sI "$url?token=$token" -H 'Tus-Resumable: 1.0.0' | tr -d '\r' | sed -n 's/^[Uu]pload-[Oo]ffset: //p')
tail -c +$((offset + 1)) "$file" | curl -si -X PATCH "$url?token=$token" --data-binary @- -H 'Tus-Resumable: 1.0.0' \
  -H 'Content-Type: application/offset+octet-stream' -H "Upload-Offset: $offset"
